/** Keeps private words out of code and texts: a reader must recognise what is meant, and find it by searching. */
import ts from 'typescript'
import type { Project } from '../project/project.ts'
import type { NodeRule, ProjectRule, Rule, Spot } from '../project/rule.ts'

/** The word in any form of it, and the word of the trade. The bars keep the list from finding itself. */
const PLAIN_WORDS: readonly (readonly [form: string, plain: string])[] = [
  ['te|llers?', 'event context, emit'],
  ['sc|enes?', 'context, setup'],
  ['de|eds?', 'action, audit entry'],
  ['an|ew', 'again'],
  ['bea|rs (any|unvalidated|old)', 'accepts, tolerates'],
  ['who|ever', 'the caller, the operator, the process'],
  ["some|body['’]s", 'of a customer, of a platform'],
  ['nobody w|ho', 'no caller that'],
  ['of w|hich', 'a sentence of its own'],
  ['le|st', 'so that … not'],
  ['un|begun', 'not started'],
]
/** Parts of identifiers, in any case. */
const PLAIN_NAMES: readonly (readonly [form: string, plain: string])[] = [
  ['give|back', 'refund, return'],
  ['come|back', 'return'],
  ['fore|tell', 'publish'],
]

const withoutBar = (form: string): string => form.replace('|', '')
const PRIVATE = new RegExp(
  [
    `\\b(${PLAIN_WORDS.map(([form]) => withoutBar(form)).join('|')})\\b`,
    ...PLAIN_NAMES.map(([form]) => withoutBar(form)),
  ].join('|'),
  'i',
)

/** Migrations that ran keep their bytes; a licence is not ours to word; nothing is written in a lock file. */
const isWritten = (file: string): boolean =>
  !/^server\/migrations\/\d|^LICENSE$|package-lock\.json$|\.cdx\.json$/.test(file)

const plainWordFor = (found: string): string => {
  const known = [...PLAIN_WORDS, ...PLAIN_NAMES].find(([form]) =>
    new RegExp(`^${withoutBar(form)}$`, 'i').test(found),
  )
  return `"${found}": say ${known?.[1] ?? 'it in the words of the trade'}`
}

function* privateWords({ texts }: Project): Generator<Spot> {
  for (const [file, text] of texts) {
    if (!isWritten(file)) continue
    for (const [index, line] of text.split('\n').entries()) {
      const found = PRIVATE.exec(line)?.[0]
      if (found !== undefined) yield { file, line: index + 1, detail: plainWordFor(found) }
    }
  }
}

const privateWord: ProjectRule = {
  kind: 'project',
  name: 'private-word',
  fix: 'use the word of the trade; GLOSSARY.md has those of the project',
  check: privateWords,
}

const NAMELESS = 'to' + 'ld'

const namelessName: NodeRule = {
  kind: 'node',
  name: 'private-name',
  fix: 'name what it holds: events, payer data, details',
  covers: () => true,
  breaks: (node) => ts.isIdentifier(node) && node.text === NAMELESS,
}

export const wordRules: readonly Rule[] = [privateWord, namelessName]
