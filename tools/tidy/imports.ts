import { posix } from 'node:path'
import ts from 'typescript'
import { lineOf, literalText, visit, type CodeFile } from './code-file.ts'
import { baseName } from './places.ts'
import type { Project } from './project.ts'

/** `names` is what is taken by name; undefined when everything may be meant (`import * as`, `import()`). */
export type Import = Readonly<{
  from: string
  to: string
  line: number
  names: readonly string[] | undefined
}>

/** Imports of one project file by another; packages are not part of it. */
export type ImportGraph = ReadonlyMap<string, readonly Import[]>

const graphs = new WeakMap<Project, ImportGraph>()

export function importGraph(project: Project): ImportGraph {
  const known = graphs.get(project)
  if (known !== undefined) return known
  const graph = new Map<string, Import[]>()
  for (const file of project.code.values()) graph.set(file.path, importsOf(file))
  graphs.set(project, graph)
  return graph
}

function importsOf(file: CodeFile): Import[] {
  const imports: Import[] = []
  visit(file.ast, (node) => {
    const specifier = specifierOf(node)
    if (specifier === undefined || !/^\.\.?(\/|$)/.test(specifier)) return
    const to = posix.join(posix.dirname(file.path), specifier)
    imports.push({ from: file.path, to, line: lineOf(file, node), names: namesOf(node) })
  })
  return imports
}

/** What `node` imports, whether as a statement, a re-export, a call or a type. */
function specifierOf(node: ts.Node): string | undefined {
  const text = (literal: ts.Node | undefined): string | undefined =>
    literal !== undefined && ts.isStringLiteralLike(literal) ? literal.text : undefined
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return text(node.moduleSpecifier)
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return text(node.arguments[0])
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return text(node.argument.literal)
  }
  return undefined
}

function namesOf(node: ts.Node): string[] | undefined {
  const nameOf = ({ propertyName, name }: ts.ImportSpecifier | ts.ExportSpecifier): string =>
    (propertyName ?? name).text
  if (ts.isExportDeclaration(node)) {
    const clause = node.exportClause
    return clause !== undefined && ts.isNamedExports(clause)
      ? clause.elements.map(nameOf)
      : undefined
  }
  if (!ts.isImportDeclaration(node)) return undefined
  const clause = node.importClause
  const bindings = clause?.namedBindings
  if (bindings !== undefined && ts.isNamespaceImport(bindings)) return undefined
  const names = bindings?.elements.map(nameOf) ?? []
  return clause?.name === undefined ? names : [...names, 'default']
}

/**
 * Files named in a string (a worker's address, a script to spawn): relative to the file, to its package or to the
 * root. They are used, though not imported. A script for the browser is served under another path, so its name
 * is enough.
 */
export function referencedPaths(project: Project): ReadonlyMap<string, readonly string[]> {
  const referrers = new Map<string, string[]>()
  const refer = (to: string, from: string): void => {
    if (project.code.has(to)) referrers.set(to, [...(referrers.get(to) ?? []), from])
  }
  const scripts = [...project.code.keys()].filter((path) => path.endsWith('.js'))
  for (const file of project.code.values()) {
    visit(file.ast, (node) => {
      const text = literalText(node)
      if (text === undefined || specifierOf(node.parent) === text) return
      for (const [, name = ''] of text.matchAll(FILE_NAME)) {
        for (const base of [posix.dirname(file.path), '.', file.path.split('/')[0] ?? '.']) {
          refer(posix.join(base, name), file.path)
        }
        for (const script of scripts)
          if (baseName(script) === baseName(name)) refer(script, file.path)
      }
    })
  }
  for (const [path, text] of project.texts) {
    if (!/(package\.json|\.html)$/.test(path)) continue
    for (const [, name = ''] of text.matchAll(FILE_NAME)) {
      refer(posix.join(posix.dirname(path), name), path)
      refer(posix.join(posix.dirname(path), baseName(name)), path)
    }
  }
  return referrers
}

const FILE_NAME = /(?:^|["'=\s])([\w./-]+\.[cm]?[jt]sx?)\b/g
