import ts from 'typescript'
import { isFunction } from './guards.ts'
import {
  evaluate,
  fieldOf,
  newScope,
  NOTHING,
  opaque,
  settled,
  Unreachable,
  within,
  type FunctionNode,
  type Scope,
  type Value,
} from './value.ts'

export function symbolOf(node: ts.Identifier, scope: Scope): ts.Symbol | undefined {
  const symbol = scope.run.checker.getSymbolAtLocation(node)
  return symbol && symbol.flags & ts.SymbolFlags.Alias
    ? scope.run.checker.getAliasedSymbol(symbol)
    : symbol
}

export function lookUp(symbol: ts.Symbol | undefined, node: ts.Node, scope: Scope): Value {
  if (!symbol) return opaque(node)
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const known = at.names.get(symbol)
    if (known) return known
  }
  const declaration = symbol.valueDeclaration
  // A module taken as a whole is none of a function's names.
  if (!declaration || ts.isSourceFile(declaration)) return opaque(node)
  const value = settled(declared(declaration, symbol, scope), node, scope)
  scope.names.set(symbol, value)
  return value
}

function declared(declaration: ts.Declaration, symbol: ts.Symbol, scope: Scope): Value {
  if (ts.isFunctionDeclaration(declaration))
    return { kind: 'function', node: declaration, scope: newScope(scope.run) }
  const path = `${declaration.getSourceFile().fileName}:${declaration.getStart()}`
  const list = listOf(declaration)
  if (list) return anyOf(evaluate(list, scope), path, scope)
  if (ts.isParameter(declaration) && isFunction(declaration.parent))
    return { kind: 'opaque', path, parameterOf: declaration.parent }
  if (ts.isBindingElement(declaration)) {
    const root = rootOf(declaration)
    const whole = declared(root, symbol, scope)
    if (whole.kind === 'opaque' && ts.isVariableDeclaration(root) && !root.initializer) return whole
    bind(root.name as ts.BindingPattern, whole, scope)
    return scope.names.get(symbol) ?? opaque(declaration)
  }
  const isConst = ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const
  if (!ts.isVariableDeclaration(declaration) || !declaration.initializer || !isConst)
    return { kind: 'opaque', path }
  if (ts.findAncestor(declaration, isFunction)) return evaluate(declaration.initializer, scope)
  const { constants } = scope.run
  const value = constants.get(declaration) ?? evaluate(declaration.initializer, newScope(scope.run))
  constants.set(declaration, value)
  return value
}

export function bindCall(fn: FunctionNode, args: readonly Value[], outer: Scope): Scope {
  const scope = newScope(outer.run, outer)
  fn.parameters.forEach((parameter, index) => {
    const rest: Value = { kind: 'list', items: args.slice(index) }
    bind(parameter.name, parameter.dotDotDotToken ? rest : (args[index] ?? NOTHING), scope)
  })
  return scope
}

function bind(name: ts.BindingName, value: Value, scope: Scope): void {
  if (ts.isIdentifier(name)) {
    const symbol = scope.run.checker.getSymbolAtLocation(name)
    if (symbol) scope.names.set(symbol, value)
    return
  }
  name.elements.forEach((element, index) => {
    if (ts.isOmittedExpression(element)) return
    const field = element.propertyName ?? element.name
    const key = ts.isArrayBindingPattern(name) ? String(index) : field.getText()
    const given = element.dotDotDotToken ? value : fieldOf(value, key)
    bind(element.name, orDefault(given, element.initializer, scope), scope)
  })
}

/** What stands for an argument or field that is left out. */
function orDefault(value: Value, initial: ts.Expression | undefined, scope: Scope): Value {
  if (!initial) return value
  const isThere =
    value.kind === 'opaque' ? scope.run.assume(value.path, true) : value.kind !== 'nothing'
  return isThere ? value : evaluate(initial, scope)
}

/** The first element of a list, unless another one is assumed. */
export function anyOf(list: Value, path: string, scope: Scope): Value {
  if (list.kind === 'opaque') return within(list, '[]')
  if (list.kind !== 'list') return { kind: 'opaque', path }
  const [first, ...others] = list.items
  if (!first) throw new Unreachable()
  return (
    others.find((_, index) => scope.run.assume(`${path} is element ${index + 1}`, false)) ?? first
  )
}

/** The list whose elements a variable of a loop or the parameter of a callback goes through. */
function listOf({ parent }: ts.Declaration): ts.Expression | undefined {
  if (ts.isVariableDeclarationList(parent) && ts.isForOfStatement(parent.parent))
    return parent.parent.expression
  if (!ts.isArrowFunction(parent) || !ts.isCallExpression(parent.parent)) return undefined
  const { expression: called } = parent.parent
  const isWalk =
    ts.isPropertyAccessExpression(called) &&
    ['map', 'flatMap', 'forEach'].includes(called.name.text)
  return isWalk ? called.expression : undefined
}

/** The variable or parameter that a name is taken out of. */
function rootOf(element: ts.BindingElement): ts.VariableDeclaration | ts.ParameterDeclaration {
  const owner = element.parent.parent
  return ts.isBindingElement(owner) ? rootOf(owner) : owner
}
