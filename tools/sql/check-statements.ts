import ts from 'typescript'
import { compareRow } from './compare-row.ts'
import { describeStatements, type Description } from './describe-statements.ts'
import { isFunction } from './guards.ts'
import { createComposer, findAskings, type Composed } from './statements.ts'
import { Unresolved, type FunctionNode } from './value.ts'

export type Problem = Readonly<{
  node: ts.Node
  /** The function around it and the argument or column in question. */
  name: string
  problem: string
}>

export type Report = Readonly<{
  statements: number
  /** Those of them whose caller says what a row is. */
  claims: number
  texts: number
  problems: readonly Problem[]
  /** What is accepted and no problem any more. */
  unused: readonly string[]
}>

type Refuse = (node: ts.Node, subject: string, problem: string) => void

/** A statement of the program: where it is asked or, where it is only handed on, made. */
type Statement = Readonly<{ node: ts.Node; query: ts.Expression; row?: ts.Type | undefined }>

const BEGINNING = /^\s*(select|insert|update|delete|with|begin|commit|rollback|set)\b/i

/** Holds all statements against the database. `accepted` has names of problems and why each is none. */
export async function checkStatements(
  program: ts.Program,
  url: string,
  accepted: Readonly<Record<string, string>>,
): Promise<Report> {
  const checker = program.getTypeChecker()
  const files = program.getSourceFiles().filter((file) => isOwn(program, file))
  const problems: Problem[] = []
  const refuse: Refuse = (node, subject, problem) => {
    problems.push({ node, name: `${functionNameOf(node)}: ${subject}`, problem })
  }
  const asked = findAskings(checker, files)
  const composed = composeAll(createComposer(checker, files), { asked, files }, refuse)
  for (const node of files.flatMap(templatesIn)) {
    if (!composed.templates.has(node))
      refuse(node, 'sql', 'is in no statement that can be followed')
  }
  const described = await describeStatements(url, composed.texts)
  for (const [statement, texts] of composed.byStatement) {
    for (const text of texts) compare(checker, statement, { text, described, refuse })
    if (texts.size === 0) refuse(statement.node, subjectOf(statement), 'is never reached')
  }
  const claims = asked.filter(({ row }) => row && checker.getPropertiesOfType(row).length > 0)
  return {
    statements: composed.byStatement.size,
    claims: claims.length,
    texts: composed.texts.size,
    ...sortOut(problems, accepted),
  }
}

/** What is not accepted, each once, and what is accepted in vain. */
function sortOut(problems: readonly Problem[], accepted: Readonly<Record<string, string>>) {
  const names = new Set(problems.map(({ name }) => name))
  const open = problems.filter(({ name }) => !(name in accepted))
  const once = new Map(open.map((one) => [`${one.node.pos} ${one.name} ${one.problem}`, one]))
  return {
    problems: [...once.values()],
    unused: Object.keys(accepted).filter((name) => !names.has(name)),
  }
}

/** What is asked, and then what reads as a statement and was in none: it is asked elsewhere, by a variable. */
function composeAll(
  compose: (query: ts.Expression) => Composed,
  { asked, files }: Readonly<{ asked: readonly Statement[]; files: readonly ts.SourceFile[] }>,
  refuse: Refuse,
) {
  const templates = new Set<ts.Node>()
  const byStatement = new Map<Statement, ReadonlySet<string>>()
  const add = (statement: Statement): void => {
    try {
      const composed = compose(statement.query)
      byStatement.set(statement, composed.texts)
      for (const template of composed.templates) templates.add(template)
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error
      refuse(statement.node, subjectOf(statement), error.message)
    }
  }
  asked.forEach(add)
  for (const query of files.flatMap(templatesIn)) {
    if (!templates.has(query) && BEGINNING.test(headOf(query))) add({ node: query, query })
  }
  return {
    templates,
    byStatement,
    texts: new Set([...byStatement.values()].flatMap((of) => [...of])),
  }
}

function compare(
  checker: ts.TypeChecker,
  { node, row }: Statement,
  found: Readonly<{
    text: string
    described: ReadonlyMap<string, Description>
    refuse: Refuse
  }>,
): void {
  const { text, described, refuse } = found
  const description = described.get(text) ?? { error: 'was not prepared' }
  if ('error' in description) return refuse(node, 'sql', description.error)
  const mismatches = row ? compareRow(checker, row, { text, ...description }) : []
  for (const { column, problem } of mismatches) refuse(node, column, problem)
}

const isOwn = (program: ts.Program, file: ts.SourceFile): boolean =>
  !file.isDeclarationFile && !program.isSourceFileFromExternalLibrary(file)

function templatesIn(file: ts.SourceFile): ts.TaggedTemplateExpression[] {
  const found: ts.TaggedTemplateExpression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const headOf = ({ template }: ts.TaggedTemplateExpression): string =>
  ts.isNoSubstitutionTemplateLiteral(template) ? template.text : template.head.text

const subjectOf = ({ query }: Statement): string => (ts.isIdentifier(query) ? query.text : 'sql')

/** Of the innermost function that has one. */
function functionNameOf(node: ts.Node): string {
  const nameOf = (fn: FunctionNode): string | undefined =>
    ts.isVariableDeclaration(fn.parent) ? fn.parent.name.getText() : fn.name?.text
  const named = ts.findAncestor(node, (at) => isFunction(at) && nameOf(at) !== undefined)
  return named ? (nameOf(named as FunctionNode) ?? '') : ''
}
