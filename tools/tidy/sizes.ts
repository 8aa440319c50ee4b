import ts from 'typescript'
import { lineAt, lineOf, visit, type CodeFile } from './project/code-file.ts'
import { isGenerated, isTest, isTestFile } from './project/places.ts'
import type { Project } from './project/project.ts'
import type { ProjectRule, Spot } from './project/rule.ts'

const LINES_MAX = { file: 400, testFile: 600, function: 70 } as const

const ENTRIES_MAX = 20
/** Of a folder inside a feature; its README does not count. */
const PART_FILES_MAX = 15
const README_LINES_MAX = 20
/** Their entries are one list of things of a kind, and are looked up by name. */
const LISTS = ['server/src/features', 'server/migrations', 'docs/decisions']

/** Features that many others use: they give out whole steps, and few enough to be known by heart. */
const ENGINES = new Map([['server/src/features/payments', { files: 20, names: 40 }]])

export const sizeRules: readonly ProjectRule[] = [
  {
    kind: 'project',
    name: 'file-length',
    fix: `split it by subject (${LINES_MAX.file} lines, tests ${LINES_MAX.testFile}; a pure table says so with a first comment \`// data table\`)`,
    check: longFiles,
  },
  {
    kind: 'project',
    name: 'function-length',
    fix: `name its steps and move them out (${LINES_MAX.function} lines)`,
    check: longFunctions,
  },
  {
    kind: 'project',
    name: 'data-table',
    fix: 'a file marked `// data table` holds data; move the decisions out',
    check: tablesThatDecide,
  },
  {
    kind: 'project',
    name: 'crowded-folder',
    fix: `give it sub-folders by noun (${ENTRIES_MAX} entries, sub-folders counted)`,
    check: crowdedFolders,
  },
  {
    kind: 'project',
    name: 'room-of-feature',
    fix: `at most ${PART_FILES_MAX} files, with a README.md of at most ${README_LINES_MAX} lines that says what it holds`,
    check: roomsOfFeatures,
  },
  {
    kind: 'project',
    name: 'wide-engine',
    fix: 'give out a use-case instead of its parts, or move what is not of the engine out',
    check: wideEngines,
  },
]

/** The mark counts only above the first statement. */
function isDataTable(file: CodeFile): boolean {
  const first = file.ast.statements[0]?.getStart(file.ast) ?? file.text.length
  return file.comments.some(({ text, start }) => start < first && /^\/\/ data table\b/.test(text))
}

function* longFiles({ code }: Project): Generator<Spot> {
  for (const file of code.values()) {
    if (isGenerated(file.path) || isDataTable(file)) continue
    const max = isTest(file.path) ? LINES_MAX.testFile : LINES_MAX.file
    if (file.lineCount > max) {
      yield { file: file.path, line: max + 1, detail: `${file.lineCount} lines` }
    }
  }
}

function* longFunctions({ code }: Project): Generator<Spot> {
  for (const file of code.values()) {
    if (isGenerated(file.path)) continue
    for (const { line, lines } of functionSizes(file)) {
      if (lines > LINES_MAX.function) yield { file: file.path, line, detail: `${lines} lines` }
    }
  }
}

function* tablesThatDecide({ code }: Project): Generator<Spot> {
  for (const file of code.values()) {
    if (!isDataTable(file)) continue
    const lines: number[] = []
    visit(file.ast, (node) => {
      if (isControlFlow(node)) lines.push(lineOf(file, node))
    })
    if (lines[0] !== undefined) yield { file: file.path, line: lines[0] }
  }
}

/** The files and folders in each folder. */
function foldersOf({ texts }: Project): ReadonlyMap<string, ReadonlySet<string>> {
  const entries = new Map<string, Set<string>>()
  for (const path of texts.keys()) {
    const names = path.split('/')
    for (let depth = 1; depth < names.length; depth += 1) {
      const folder = names.slice(0, depth).join('/')
      const known = entries.get(folder) ?? new Set()
      entries.set(folder, known.add(names[depth] as string))
    }
  }
  return entries
}

/** What a reader has to scan in order to find a file. */
function* crowdedFolders(project: Project): Generator<Spot> {
  for (const [file, { size }] of foldersOf(project)) {
    if (size > ENTRIES_MAX && !LISTS.includes(file) && !isGenerated(`${file}/`)) {
      yield { file, line: 1, detail: `${size} entries` }
    }
  }
}

const FEATURES = 'server/src/features/'
const README = 'README.md'

/** A part of a feature is small, and says what it holds; so does a feature that has parts. */
function* roomsOfFeatures(project: Project): Generator<Spot> {
  const folders = foldersOf(project)
  for (const [file, names] of folders) {
    if (!file.startsWith(FEATURES)) continue
    const files = [...names].filter((name) => !folders.has(`${file}/${name}`))
    const isPart = file.slice(FEATURES.length).includes('/')
    if (isPart && files.length - (names.has(README) ? 1 : 0) > PART_FILES_MAX) {
      yield { file, line: 1, detail: `${files.length} files` }
    }
    const hasParts = files.length < names.size
    if (!isPart && !hasParts) continue
    const readme = project.texts.get(`${file}/${README}`)
    if (readme === undefined) yield { file, line: 1, detail: 'no README.md' }
    else if (readme.trimEnd().split('\n').length > README_LINES_MAX) {
      yield { file: `${file}/${README}`, line: README_LINES_MAX + 1 }
    }
  }
}

function* wideEngines({ code }: Project): Generator<Spot> {
  for (const [folder, max] of ENGINES) {
    const sources = [...code.keys()].filter(
      (path) => path.startsWith(`${folder}/`) && !isTest(path),
    )
    const index = code.get(`${folder}/index.ts`)
    const names = index ? namesGivenOut(index) : 0
    const place = { file: `${folder}/index.ts`, line: 1 }
    if (names > max.names) yield { ...place, detail: `${names} names, at most ${max.names}` }
    if (sources.length > max.files) {
      yield { ...place, detail: `${sources.length} files, at most ${max.files}` }
    }
  }
}

function namesGivenOut({ ast }: CodeFile): number {
  const lists = ast.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) ? (statement.exportClause ?? []) : [],
  )
  return lists.reduce((sum, list) => sum + (ts.isNamedExports(list) ? list.elements.length : 1), 0)
}

const isControlFlow = (node: ts.Node): boolean =>
  ts.isIfStatement(node) || ts.isIterationStatement(node, false) || ts.isSwitchStatement(node)

type FunctionSize = Readonly<{ line: number; lines: number }>

/** Every function of the file; in tests the callback of `describe` is a heading, not a function. */
function functionSizes(file: CodeFile): FunctionSize[] {
  const sizes: FunctionSize[] = []
  visit(file.ast, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return
    if (isTestFile(file.path) && isGrouping(node.parent)) return
    const line = lineOf(file, node)
    sizes.push({ line, lines: lineAt(file, node.getEnd()) - line + 1 })
  })
  return sizes
}

const isGrouping = (call: ts.Node): boolean =>
  ts.isCallExpression(call) &&
  ts.isIdentifier(call.expression) &&
  ['describe', 'suite'].includes(call.expression.text)

/** One line for each kind of size, so that drift is seen before it becomes a finding. */
export function sizeDistribution({ code }: Project): string[] {
  const own = [...code.values()].filter((file) => !isGenerated(file.path))
  const [tests, sources] = [
    own.filter(({ path }) => isTest(path)),
    own.filter(({ path }) => !isTest(path)),
  ]
  const lengths = (files: readonly CodeFile[]): number[] => files.map(({ lineCount }) => lineCount)
  return [
    spread('files', lengths(sources)),
    spread('tests', lengths(tests)),
    spread(
      'functions',
      sources.flatMap((file) => functionSizes(file).map(({ lines }) => lines)),
    ),
  ]
}

function spread(name: string, values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
  const column = (label: string, value: number): string => `${label} ${String(value).padStart(4)}`
  return [
    name.padEnd(10),
    String(sorted.length).padStart(6),
    column('  lines p50', at(0.5)),
    column('p90', at(0.9)),
    column('max', at(1)),
  ].join('  ')
}
