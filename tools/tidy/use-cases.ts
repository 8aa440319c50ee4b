import ts from 'typescript'
import { lineOf, visit, type CodeFile } from './project/code-file.ts'
import { baseName, featureOf, isServerSource } from './project/places.ts'
import type { Project } from './project/project.ts'
import type { ProjectRule, Spot } from './project/rule.ts'

/** A use-case is read by its header: what it does and what it refuses. */
export const useCaseRules: readonly ProjectRule[] = [
  {
    kind: 'project',
    name: 'use-case-header',
    fix: 'say above it what it does and which codes it refuses with',
    check: withoutHeader,
  },
  {
    kind: 'project',
    name: 'use-case-refusals',
    fix: 'name the code in the header',
    check: unnamedRefusals,
  },
]

type UseCase = Readonly<{ file: CodeFile; line: number; header: string }>

const HEADER_LENGTH_MIN = 20

function* withoutHeader(project: Project): Generator<Spot> {
  for (const { file, line, header } of useCases(project)) {
    if (header.length < HEADER_LENGTH_MIN) yield { file: file.path, line }
  }
}

function* unnamedRefusals(project: Project): Generator<Spot> {
  for (const { file, header } of useCases(project)) {
    if (header.length < HEADER_LENGTH_MIN) continue
    const spots: Spot[] = []
    visit(file.ast, (node) => {
      const code = refusalCode(node)
      if (code !== undefined && !header.includes(code)) {
        spots.push({ file: file.path, line: lineOf(file, node), detail: code })
      }
    })
    yield* spots
  }
}

/** A feature's `<verb>-<noun>.ts` that exports a function of the same name taking the work. */
function* useCases({ code }: Project): Generator<UseCase> {
  for (const file of code.values()) {
    if (!isServerSource(file.path) || featureOf(file.path) === undefined) continue
    const name = baseName(file.path).replace(/\.ts$/, '')
    if (!name.includes('-')) continue
    const main = file.ast.statements.find((statement) => declares(statement, camelCase(name)))
    if (main === undefined) continue
    const end = main.getStart(file.ast)
    const header = file.comments.filter(({ start }) => start < end).map(({ text }) => text)
    yield { file, line: lineOf(file, main), header: header.join('\n') }
  }
}

const camelCase = (name: string): string =>
  name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

function declares(statement: ts.Statement, name: string): boolean {
  if (ts.isFunctionDeclaration(statement)) {
    return statement.name?.text === name && takesWork(statement)
  }
  if (!ts.isVariableStatement(statement)) return false
  return statement.declarationList.declarations.some(
    ({ name: declared, initializer }) =>
      ts.isIdentifier(declared) &&
      declared.text === name &&
      initializer !== undefined &&
      ts.isArrowFunction(initializer) &&
      takesWork(initializer),
  )
}

const takesWork = ({ parameters }: ts.SignatureDeclaration): boolean =>
  parameters.some(
    ({ type }) =>
      type !== undefined &&
      ts.isTypeReferenceNode(type) &&
      ts.isIdentifier(type.typeName) &&
      type.typeName.text === 'Work',
  )

/** The code of `fail('CODE')` and `refuse('CODE')`. */
function refusalCode(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return undefined
  if (!['fail', 'refuse'].includes(node.expression.text)) return undefined
  const [code] = node.arguments
  return code !== undefined && ts.isStringLiteral(code) ? code.text : undefined
}
