import ts from 'typescript'
import { lineOf, visit, type CodeFile } from './code-file.ts'
import { importGraph, referencedPaths, type Import } from './imports.ts'
import { isConfig, isScript, isTest, isTestFile } from './places.ts'
import type { Project } from './project.ts'
import type { ProjectRule, Spot } from './rule.ts'

/** What nothing uses. A file that only its own test imports is dead as well; a test keeps nothing alive. */
export const deadRules: readonly ProjectRule[] = [
  {
    kind: 'project',
    name: 'dead-file',
    fix: 'delete it with its test, or import it where it is needed',
    check: deadFiles,
  },
  {
    kind: 'project',
    name: 'dead-export',
    fix: 'drop `export` (and the declaration too, if the compiler then calls it unused)',
    check: deadExports,
  },
]

/** Files that something outside the code starts: a command, the test runner, a tool reading its settings. */
const isEntry = (path: string): boolean =>
  path.startsWith('server/src/bin/') ||
  isTestFile(path) ||
  isScript(path) ||
  isConfig(path) ||
  path.endsWith('.d.ts')

function importsByTarget(project: Project): Map<string, Import[]> {
  const byTarget = new Map<string, Import[]>()
  for (const one of [...importGraph(project).values()].flat()) {
    byTarget.set(one.to, [...(byTarget.get(one.to) ?? []), one])
  }
  return byTarget
}

function* deadFiles(project: Project): Generator<Spot> {
  const imports = importsByTarget(project)
  const references = referencedPaths(project)
  for (const file of project.code.keys()) {
    if (isEntry(file)) continue
    const users = [
      ...(imports.get(file) ?? []).map(({ from }) => from),
      ...(references.get(file) ?? []),
    ]
    const keepsAlive = (user: string): boolean => user !== file && (isTest(file) || !isTest(user))
    if (!users.some(keepsAlive)) yield { file, line: 1 }
  }
}

/** The service's own code and tools; what a published package exports is used by strangers. */
function* deadExports(project: Project): Generator<Spot> {
  const imports = importsByTarget(project)
  const references = referencedPaths(project)
  for (const file of project.code.values()) {
    if (!/^(server|tools)\//.test(file.path) || isTestFile(file.path) || references.has(file.path))
      continue
    const users = imports.get(file.path) ?? []
    if (users.length === 0 || users.some(({ names }) => names === undefined)) continue
    const used = new Set(users.flatMap(({ names }) => names ?? []))
    for (const { name, line } of exportsOf(file)) {
      if (!used.has(name)) yield { file: file.path, line, detail: name }
    }
  }
}

type Exported = Readonly<{ name: string; line: number }>

/**
 * A type that its own file uses may stay exported: it names what an exported function takes or gives, whether or not
 * a caller has had to spell it yet.
 */
function exportsOf(file: CodeFile): Exported[] {
  return file.ast.statements.flatMap((statement) =>
    exportedNames(statement)
      .filter((name) => !isType(statement) || mentions(file, name.text) === 1)
      .map((name) => ({ name: name.text, line: lineOf(file, name) })),
  )
}

function exportedNames(statement: ts.Statement): ts.ModuleExportName[] {
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause
    return clause !== undefined && ts.isNamedExports(clause)
      ? clause.elements.map(({ name }) => name)
      : []
  }
  if (!isExported(statement)) return []
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name).filter(ts.isIdentifier)
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || isType(statement)
  return isNamed && statement.name !== undefined ? [statement.name] : []
}

const isType = (node: ts.Node): node is ts.TypeAliasDeclaration | ts.InterfaceDeclaration =>
  ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

function mentions(file: CodeFile, name: string): number {
  let count = 0
  visit(file.ast, (node) => {
    if (ts.isIdentifier(node) && node.text === name) count += 1
  })
  return count
}
