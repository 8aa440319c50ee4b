import ts from 'typescript'
import type { FunctionNode } from './value.ts'

/** What has to hold for the program to come to a node: a condition, and whether it has to be true. */
export type Guard = Readonly<{ test: ts.Expression; wanted: boolean; against?: ts.Expression }>

export const isFunction = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node)

/** Within its function: branches that the node stands in, and ways out in front of it that were not taken. */
export function guardsOf(node: ts.Node): Guard[] {
  const guards: Guard[] = []
  for (let at = node; !isFunction(at) && !ts.isSourceFile(at); at = at.parent) {
    guards.unshift(...guardsIn(at.parent, at))
  }
  return guards
}

function guardsIn(parent: ts.Node, child: ts.Node): Guard[] {
  if (ts.isIfStatement(parent) && child !== parent.expression)
    return [{ test: parent.expression, wanted: child === parent.thenStatement }]
  if (ts.isConditionalExpression(parent) && child !== parent.condition)
    return [{ test: parent.condition, wanted: child === parent.whenTrue }]
  if (ts.isCaseOrDefaultClause(parent)) return guardsOfClause(parent)
  if (!ts.isBlock(parent)) return []
  const before = parent.statements.slice(0, parent.statements.indexOf(child as ts.Statement))
  return before
    .filter((statement) => ts.isIfStatement(statement))
    .filter(({ thenStatement, elseStatement }) => !elseStatement && leaves(thenStatement))
    .map(({ expression }) => ({ test: expression, wanted: false }))
}

function guardsOfClause(clause: ts.CaseOrDefaultClause): Guard[] {
  const { clauses, parent } = clause.parent
  const test = parent.expression
  const guard = (of: ts.CaseClause, wanted: boolean): Guard => ({
    test,
    wanted,
    against: of.expression,
  })
  const others = clauses.slice(0, clauses.indexOf(clause)).filter((other) => ts.isCaseClause(other))
  const passed = others.filter(({ statements }) => statements.length > 0)
  const negative = passed.map((other) => guard(other, false))
  return ts.isCaseClause(clause) ? [...negative, guard(clause, true)] : negative
}

function leaves(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) return statement.statements.some(leaves)
  return ts.isReturnStatement(statement) || ts.isThrowStatement(statement)
}

/** What a function answers, in the order in which it would come to it. */
export function returnsOf(fn: FunctionNode): ts.Expression[] {
  if (!fn.body) return []
  if (!ts.isBlock(fn.body)) return [fn.body]
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (isFunction(node)) return
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression)
    ts.forEachChild(node, visit)
  }
  visit(fn.body)
  return found
}
