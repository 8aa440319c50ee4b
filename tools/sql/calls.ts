import ts from 'typescript'
import { isReached } from './conditions.ts'
import { fragment, givenRows, joinFragments, toSql } from './fragments.ts'
import { returnsOf } from './guards.ts'
import { bindCall } from './names.ts'
import {
  evaluate,
  namesOf,
  opaque,
  textValue,
  Unreachable,
  unresolved,
  within,
  type Scope,
  type SqlValue,
  type Value,
} from './value.ts'

const WORD = fragment([`'WORD'`])
const HOLDERS = ['Array', 'ReadonlyArray', 'Promise']

export function evaluateCall(node: ts.CallExpression, scope: Scope): Value {
  const called = node.expression
  const own = evaluateOfTag(node, scope)
  if (own) return own
  if (ts.isPropertyAccessExpression(called)) {
    const method = evaluateMethod(node, called, scope)
    if (method) return method
  }
  const fn = evaluate(called, scope)
  if (fn.kind === 'function' && !isForeign(scope.run.checker.getTypeAtLocation(node))) {
    const args = node.arguments.flatMap((argument) => items(argument, scope))
    return call(fn, args)
  }
  return fn.kind === 'opaque' && fn.parameterOf ? within(fn, '()') : opaque(node)
}

/** What an element of a list or an argument stands for; a spread one for several. */
export function items(element: ts.Expression, scope: Scope): readonly Value[] {
  if (!ts.isSpreadElement(element)) return [evaluate(element, scope)]
  const list = evaluate(element.expression, scope)
  return list.kind === 'list' ? list.items : [list]
}

export const isOfTag = (node: ts.Expression, name: string): boolean =>
  ts.isPropertyAccessExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'sql' &&
  node.name.text === name

function evaluateOfTag(node: ts.CallExpression, scope: Scope): Value | undefined {
  const { expression: called, arguments: args } = node
  const [first, second, third] = args
  if (!first) return undefined
  if (isOfTag(called, 'word')) return WORD
  if (isOfTag(called, 'json')) return opaque(node)
  if (isOfTag(called, 'and')) {
    const conditions = fragmentsOf(first, scope)
    return conditions.length === 0 ? fragment(['true']) : joinFragments(conditions, ' and ')
  }
  if (isOfTag(called, 'join') && second) {
    const separator = evaluate(second, scope)
    if (separator.kind !== 'text') throw unresolved(second, separator)
    return joinFragments(fragmentsOf(first, scope), separator.text)
  }
  if (!ts.isIdentifier(called) || called.text !== 'given' || !second || !third) return undefined
  const [name, columns] = [evaluate(first, scope), evaluate(second, scope)]
  if (name.kind !== 'text' || columns.kind !== 'record') throw unresolved(node, columns)
  return givenRows(
    name.text,
    columns.fields,
    scope.run.assume(`${opaque(node).path} is one row`, true),
  )
}

function fragmentsOf(node: ts.Expression, scope: Scope): SqlValue[] {
  const list = evaluate(node, scope)
  if (list.kind !== 'list') throw unresolved(node, list)
  return list.items.map((item) => toSql(item, node))
}

/** Lists of our own; a list that is not known has one element that is not known either. */
function evaluateMethod(
  node: ts.CallExpression,
  called: ts.PropertyAccessExpression,
  scope: Scope,
): Value | undefined {
  const method = called.name.text
  const [first] = node.arguments
  if (called.expression.getText() === 'Object' && first)
    return evaluateOfObject(method, first, scope)
  if (!['map', 'flatMap', 'filter', 'join'].includes(method)) return undefined
  const of = evaluate(called.expression, scope)
  const list = of.kind === 'opaque' ? [within(of, '[]')] : of.kind === 'list' ? of.items : []
  if (method === 'filter') return { kind: 'list', items: list }
  if (first && isOfTag(first, 'word')) return { kind: 'list', items: list.map(() => WORD) }
  const argument = first && evaluate(first, scope)
  if (method === 'join' && argument?.kind === 'text') return joinTexts(list, argument.text, node)
  if (argument?.kind !== 'function') return opaque(node)
  const results = list.map((item) => call(argument, [item]))
  const flat = (value: Value): readonly Value[] => (value.kind === 'list' ? value.items : [value])
  return { kind: 'list', items: method === 'flatMap' ? results.flatMap(flat) : results }
}

function evaluateOfObject(method: string, of: ts.Expression, scope: Scope): Value | undefined {
  const record = evaluate(of, scope)
  if (record.kind !== 'record') return undefined
  if (method === 'values') return { kind: 'list', items: [...record.fields.values()] }
  const texts = namesOf(record).map(textValue)
  return method === 'keys' ? { kind: 'list', items: texts } : undefined
}

function call(fn: Extract<Value, { kind: 'function' }>, args: readonly Value[]): Value {
  const scope = bindCall(fn.node, args, fn.scope)
  for (const answer of returnsOf(fn.node)) {
    if (isReached(answer, scope)) return evaluate(answer, scope)
  }
  throw new Unreachable()
}

/** Where one is not known, the whole is known to the same callers as that one. */
export function joinTexts(pieces: readonly Value[], separator: string, node: ts.Node): Value {
  const unknown = pieces.find(({ kind }) => kind !== 'text')
  if (unknown) return unknown.kind === 'opaque' ? within(unknown, '…') : opaque(node)
  return textValue(pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(separator))
}

/** Something of the platform, such as a Buffer or a Date, which has no fragment in it. */
function isForeign(type: ts.Type): boolean {
  const { symbol } = type.getNonNullableType()
  const declarations = symbol?.declarations ?? []
  const isOfLibrary = declarations.some(
    (one) => ts.isInterfaceDeclaration(one) && one.getSourceFile().isDeclarationFile,
  )
  return isOfLibrary && !HOLDERS.includes(symbol.name)
}
