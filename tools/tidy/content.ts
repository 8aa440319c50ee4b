import ts from 'typescript'
import { isScript, isTest } from './project/places.ts'
import type { Project } from './project/project.ts'
import type { NodeRule, ProjectRule, Rule, Spot } from './project/rule.ts'

/** Every line of every text that matches. */
function* linesLike(
  { texts }: Project,
  find: (line: string) => string | undefined,
): Generator<Spot> {
  for (const [file, text] of texts) {
    for (const [index, line] of text.split('\n').entries()) {
      const detail = find(line)
      if (detail !== undefined) yield { file, line: index + 1, detail }
    }
  }
}

// The bars keep the list from finding itself; they are taken out below.
const FOREIGN_WORDS = [
  ...['anth|ropic', 'cla|ude', 'open|ai', 'chat|gpt', 'co|pilot', 'verd|accio', 'arti|factory'],
].map((word) => word.replace('|', ''))
const MACHINE_FOLDERS = ['wo|rk', 'ro|ot'].map((word) => word.replace('|', ''))

const FOREIGN = new RegExp(
  `${FOREIGN_WORDS.join('|')}|(?<![\\w.*})-])/(${MACHINE_FOLDERS.join('|')})/`,
  'i',
)

const SECRET_FORMS: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN ([A-Z]+ )*PRIVATE KEY-----(\s|\\n)*[A-Za-z0-9+/=]{40}/],
  ['an access key', /\b(AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['an access token', /\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40}|npm_[A-Za-z0-9]{36})/],
  ['an access token', /\b(xox[abprs]-[A-Za-z0-9-]{20}|glpat-[\w-]{20})/],
  ['a live key', /\b[rs]k_live_[A-Za-z0-9]{16}/],
  ['a signed token', /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20}/],
]

const SECRET_NAME = /(secret|password|passphrase|api_?key|private_?key|master_?key|credential)$/i

/** Long, unbroken, letters and digits mixed: made by a machine, not a word. */
const looksRandom = (text: string): boolean =>
  text.length >= 20 && /^[\w+/=.~-]+$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text)

const namedSecret: NodeRule = {
  kind: 'node',
  name: 'secret-literal',
  fix: 'take it from the settings, or make it when it is needed',
  covers: (path) => !isTest(path) && !isScript(path),
  breaks: (node) =>
    (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) &&
    (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name)) &&
    SECRET_NAME.test(node.name.text) &&
    node.initializer !== undefined &&
    ts.isStringLiteralLike(node.initializer) &&
    looksRandom(node.initializer.text),
}

const projectRules: readonly ProjectRule[] = [
  {
    kind: 'project',
    name: 'secret-form',
    fix: 'revoke it, take it out of the history, and make test keys when the test runs',
    check: secretForms,
  },
  {
    kind: 'project',
    name: 'foreign-word',
    fix: 'the project speaks of itself alone: no makers of tools, machines or registries',
    check: (project) => linesLike(project, (line) => FOREIGN.exec(line)?.[0]),
  },
  {
    kind: 'project',
    name: 'lock-address',
    fix: 'install with the .npmrc of the root, which leaves download addresses out of the lock file',
    check: lockAddresses,
  },
]

/** Over the whole text, since a key goes on after its first line. */
function* secretForms({ texts }: Project): Generator<Spot> {
  for (const [file, text] of texts) {
    for (const [detail, form] of SECRET_FORMS) {
      const found = form.exec(text)
      if (found === null) continue
      yield { file, line: text.slice(0, found.index).split('\n').length, detail }
    }
  }
}

function* lockAddresses(project: Project): Generator<Spot> {
  for (const spot of linesLike(
    project,
    (line) => /"resolved": "https?:\/\/[^"]*/.exec(line)?.[0],
  )) {
    if (spot.file.endsWith('package-lock.json')) yield spot
  }
}

export const contentRules: readonly Rule[] = [namedSecret, ...projectRules]
