import type ts from 'typescript'

/** What an expression comes to without running the program, as far as it matters to the text of a statement. */
export type Value =
  | SqlValue
  | Readonly<{ kind: 'text'; text: string }>
  | Readonly<{ kind: 'list'; items: readonly Value[] }>
  | Readonly<{ kind: 'record'; fields: ReadonlyMap<string, Value> }>
  | Readonly<{ kind: 'function'; node: FunctionNode; scope: Scope }>
  | Readonly<{ kind: 'nothing' }>
  | OpaqueValue

/** A fragment: `parts` around gaps for parameters, and the templates that it was put together from. */
export type SqlValue = Readonly<{
  kind: 'sql'
  parts: readonly string[]
  templates: readonly ts.Node[]
}>

/**
 * Known only at run time. Two with the same path are the same thing, so that what is assumed of one holds for the
 * other. `parameterOf` names the function whose callers know more.
 */
export type OpaqueValue = Readonly<{
  kind: 'opaque'
  path: string
  parameterOf?: FunctionNode | undefined
  isText?: boolean
}>

export type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression

/** One evaluation of a program. */
export type Run = Readonly<{
  checker: ts.TypeChecker
  /** Decides what only the running program knows; the same answer for the same question. */
  assume(question: string, usual: boolean): boolean
  evaluate(node: ts.Expression, scope: Scope): Value
  /** What the constants of modules came to: with the same answers they come to the same every time. */
  constants: Map<ts.Declaration, Value>
}>

/** What names mean inside one call of a function; names that are not in it are looked up where they are declared. */
export type Scope = Readonly<{
  run: Run
  names: Map<ts.Symbol, Value>
  outer?: Scope | undefined
}>

export const newScope = (run: Run, outer?: Scope): Scope => ({ run, names: new Map(), outer })

export const evaluate = (node: ts.Expression, scope: Scope): Value =>
  scope.run.evaluate(node, scope)

export const NOTHING: Value = { kind: 'nothing' }
export const textValue = (text: string): Value => ({ kind: 'text', text })

export const opaque = (node: ts.Node): OpaqueValue => ({
  kind: 'opaque',
  path: `${node.getSourceFile().fileName}:${node.getStart()}`,
})

/** Callers may know what a text is, but not that it is a fragment. */
export function settled(value: Value, node: ts.Node, { run: { checker } }: Scope): Value {
  if (value.kind !== 'opaque' || !value.parameterOf) return value
  const isText = checker.isTypeAssignableTo(
    checker.getTypeAtLocation(node),
    checker.getStringType(),
  )
  return isText ? { ...value, isText } : value
}

export const fieldOf = (value: Value, name: string): Value => {
  if (value.kind === 'record') return value.fields.get(name) ?? NOTHING
  if (value.kind === 'list') return value.items[Number(name)] ?? NOTHING
  return value.kind === 'opaque' ? within(value, `.${name}`) : NOTHING
}

export const namesOf = (value: Value): string[] =>
  value.kind === 'record' ? [...value.fields.keys()] : []

export const within = (value: OpaqueValue, step: string): OpaqueValue => ({
  ...value,
  path: `${value.path}${step}`,
})

/** The text cannot be put together; `parameterOf` says whose callers may know how. */
export class Unresolved extends Error {
  readonly parameterOf: FunctionNode | undefined

  constructor(node: ts.Node, parameterOf?: FunctionNode) {
    super(`cannot follow \`${node.getText().replace(/\s+/g, ' ').slice(0, 60)}\``)
    this.parameterOf = parameterOf
  }
}

export const unresolved = (node: ts.Node, value?: Value): Unresolved =>
  new Unresolved(node, value?.kind === 'opaque' ? value.parameterOf : undefined)

/** What is assumed does not lead here. */
export class Unreachable extends Error {}
