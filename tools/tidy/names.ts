import { baseName } from './project/places.ts'
import type { Project } from './project/project.ts'
import type { ProjectRule, Spot } from './project/rule.ts'

export const nameRules: readonly ProjectRule[] = [
  {
    kind: 'project',
    name: 'kebab-case',
    fix: 'name files and folders in kebab-case, a file after its main export',
    check: otherCases,
  },
  {
    kind: 'project',
    name: 'bucket-name',
    fix: 'name it after what it holds',
    check: buckets,
  },
  {
    kind: 'project',
    name: 'root-folder',
    fix: 'move it into a folder, or add it to the list in tools/tidy/names.ts with a reason in the commit',
    check: strangersInRoot,
  },
]

const KEBAB = /^\.?[a-z0-9]+([.-][a-z0-9]+)*$/
/** Names that readers and tools expect in capitals, in the root and as a folder's front page. */
const CAPITALS = new Set([
  'README.md',
  'ARCHITECTURE.md',
  'GLOSSARY.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'LICENSE',
  'CODEOWNERS',
  'Containerfile',
])
const BUCKETS = new Set(['utils', 'util', 'common', 'helpers', 'helper', 'types', 'misc', 'shared'])

const ROOT_FILES = new Set([
  ...['README.md', 'ARCHITECTURE.md', 'GLOSSARY.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['CHANGELOG.md', 'LICENSE', 'package.json', 'package-lock.json', 'tsconfig.json'],
  ...['.oxlintrc.json', 'knip.config.js', '.oxfmtrc.json', '.gitignore', '.gitattributes'],
  ...['.npmrc', '.editorconfig', '.env.example', '.dockerignore'],
])
const ROOT_FOLDERS = new Set([
  ...[
    '.ci',
    '.github',
    'bench',
    'cli',
    'dashboard',
    'deploy',
    'docs',
    'examples',
    'sdk',
    'server',
    'tools',
  ],
])

function* otherCases({ texts }: Project): Generator<Spot> {
  for (const file of texts.keys()) {
    const wrong = file.split('/').find((part) => !KEBAB.test(part) && !CAPITALS.has(part))
    if (wrong !== undefined) yield { file, line: 1, detail: wrong }
  }
}

function* buckets({ texts }: Project): Generator<Spot> {
  for (const file of texts.keys()) {
    const wrong = file.split('/').find((part) => BUCKETS.has(part.replace(/\.[a-z.]+$/, '')))
    if (wrong !== undefined) yield { file, line: 1, detail: wrong }
  }
}

function* strangersInRoot({ texts }: Project): Generator<Spot> {
  for (const file of texts.keys()) {
    const isRootFile = baseName(file) === file
    const isKnown = isRootFile ? ROOT_FILES.has(file) : ROOT_FOLDERS.has(file.split('/')[0] ?? '')
    if (!isKnown) yield { file, line: 1 }
  }
}
