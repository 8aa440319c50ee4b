import ts from 'typescript'
import { guardsOf, type Guard } from './guards.ts'
import { evaluate, opaque, type Scope } from './value.ts'

const EQUAL = [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken]

export const isNullish = (node: ts.Expression): boolean =>
  node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === 'undefined')
const isNull = (node: ts.Expression): boolean => node.kind === ts.SyntaxKind.NullKeyword

/** Whether what is assumed leads to the node, within its function. */
export function isReached(node: ts.Node, scope: Scope): boolean {
  return guardsOf(node).every((guard) => isMet(guard, scope))
}

function isMet({ test, wanted, against }: Guard, scope: Scope): boolean {
  return (against ? isEqual(test, against, scope) : holds(test, scope)) === wanted
}

/** Whether a condition is true: worked out where it can be, otherwise assumed. */
export function holds(test: ts.Expression, scope: Scope): boolean {
  if (ts.isParenthesizedExpression(test)) return holds(test.expression, scope)
  if (ts.isPrefixUnaryExpression(test) && test.operator === ts.SyntaxKind.ExclamationToken)
    return !holds(test.operand, scope)
  if (ts.isBinaryExpression(test)) {
    const { left, right, operatorToken } = test
    if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return holds(left, scope) && holds(right, scope)
    if (operatorToken.kind === ts.SyntaxKind.BarBarToken)
      return holds(left, scope) || holds(right, scope)
    if (EQUAL.includes(operatorToken.kind))
      return (operatorToken.kind === EQUAL[0]) === isEqual(left, right, scope)
    return scope.run.assume(opaque(test).path, true)
  }
  const value = ts.isCallExpression(test) ? opaque(test) : evaluate(test, scope)
  if (value.kind !== 'opaque') return value.kind !== 'nothing'
  const isFlag = scope.run.checker.getTypeAtLocation(test).flags & ts.TypeFlags.Boolean
  return scope.run.assume(isFlag ? `${value.path} is true` : value.path, true)
}

function isEqual(left: ts.Expression, right: ts.Expression, scope: Scope): boolean {
  const value = ts.isCallExpression(left) ? opaque(left) : evaluate(left, scope)
  if (isNullish(right)) {
    if (value.kind !== 'opaque') return value.kind === 'nothing'
    return isNull(right)
      ? scope.run.assume(`${value.path} is null`, false)
      : !scope.run.assume(value.path, true)
  }
  const other = evaluate(right, scope)
  if (value.kind === 'text' && other.kind === 'text') return value.text === other.text
  const path = value.kind === 'opaque' ? value.path : opaque(left).path
  const isEmpty = right.getText() === '0' && path.endsWith('.length')
  return scope.run.assume(`${path} is ${right.getText()}`, !isEmpty)
}
