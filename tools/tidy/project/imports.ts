import { posix } from 'node:path'
import ts from 'typescript'
import { lineOf, visit, type CodeFile } from './code-file.ts'
import type { Project } from './project.ts'

export type Import = Readonly<{ from: string; to: string; line: number }>

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
    imports.push({ from: file.path, to, line: lineOf(file, node) })
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
