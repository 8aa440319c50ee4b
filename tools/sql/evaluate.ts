import ts from 'typescript'
import { evaluateCall, isOfTag, items, joinTexts } from './calls.ts'
import { holds, isNullish } from './conditions.ts'
import { fillTemplate, fragment, toSql } from './fragments.ts'
import { isFunction } from './guards.ts'
import { anyOf, lookUp, symbolOf } from './names.ts'
import {
  evaluate,
  fieldOf,
  namesOf,
  newScope,
  NOTHING,
  opaque,
  settled,
  textValue,
  unresolved,
  within,
  type Run,
  type Scope,
  type SqlValue,
  type Value,
} from './value.ts'

const DEPTH_MAX = 60

/** Evaluates the pure part of the language that fragments are put together with; answers the outermost scope. */
export function startRun(checker: ts.TypeChecker, assume: Run['assume']): Scope {
  let depth = 0
  const run: Run = {
    checker,
    assume,
    constants: new Map(),
    evaluate(node, scope) {
      if (depth > DEPTH_MAX) throw unresolved(node)
      depth += 1
      try {
        return evaluateKind(node, scope)
      } finally {
        depth -= 1
      }
    },
  }
  return newScope(run)
}

function evaluateKind(node: ts.Expression, scope: Scope): Value {
  if (isWrapped(node)) return evaluate(node.expression, scope)
  if (ts.isStringLiteralLike(node)) return textValue(node.text)
  if (isNullish(node) || node.kind === ts.SyntaxKind.FalseKeyword) return NOTHING
  if (node.kind === ts.SyntaxKind.TrueKeyword) return textValue('true')
  if (isFunction(node)) return { kind: 'function', node, scope }
  if (ts.isIdentifier(node)) return lookUp(symbolOf(node, scope), node, scope)
  if (ts.isTaggedTemplateExpression(node)) return evaluateTag(node, scope)
  if (ts.isTemplateExpression(node)) return evaluateText(node, scope)
  if (ts.isConditionalExpression(node))
    return evaluate(holds(node.condition, scope) ? node.whenTrue : node.whenFalse, scope)
  if (ts.isBinaryExpression(node)) return evaluateBinary(node, scope)
  if (ts.isArrayLiteralExpression(node))
    return { kind: 'list', items: node.elements.flatMap((element) => items(element, scope)) }
  if (ts.isObjectLiteralExpression(node)) return evaluateObject(node, scope)
  if (ts.isPropertyAccessExpression(node))
    return isOfTag(node, 'empty')
      ? fragment([''])
      : settled(fieldOf(evaluate(node.expression, scope), node.name.text), node, scope)
  if (ts.isElementAccessExpression(node)) return evaluateElement(node, scope)
  return ts.isCallExpression(node) ? evaluateCall(node, scope) : opaque(node)
}

function evaluateTag(node: ts.TaggedTemplateExpression, scope: Scope): Value {
  const { template } = node
  if (ts.isNoSubstitutionTemplateLiteral(template)) return fragment([template.text], node)
  const strings = [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
  const inputs = template.templateSpans.map(({ expression }) => evaluateGap(expression, scope))
  return fillTemplate(strings, inputs, node)
}

/** Undefined for a value, which becomes a parameter. */
function evaluateGap(node: ts.Expression, scope: Scope): SqlValue | undefined {
  const type = scope.run.checker.getTypeAtLocation(node)
  if (!isSqlType(type)) return undefined
  const value = evaluate(node, scope)
  const isEither = type.isUnion() && !type.types.every(isSqlType)
  const isBound = value.kind !== 'opaque' || value.isText || value.parameterOf === undefined
  if (isEither && isBound && value.kind !== 'sql') return undefined
  return toSql(value, node)
}

export function isSqlType(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isSqlType)
  return type.getProperty('parts') !== undefined && type.getProperty('values') !== undefined
}

function evaluateText(node: ts.TemplateExpression, scope: Scope): Value {
  const values = node.templateSpans.map(({ expression }) => evaluate(expression, scope))
  const literals = node.templateSpans.map(({ literal }): Value => textValue(literal.text))
  const pieces = values.flatMap((value, index) => [value, literals[index] ?? NOTHING])
  return joinTexts([textValue(node.head.text), ...pieces], '', node)
}

function evaluateBinary(node: ts.BinaryExpression, scope: Scope): Value {
  const { left, right, operatorToken } = node
  const isEither = operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
  if (isEither || operatorToken.kind === ts.SyntaxKind.BarBarToken)
    return evaluate(holds(left, scope) ? left : right, scope)
  if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return holds(left, scope) ? evaluate(right, scope) : NOTHING
  return opaque(node)
}

function evaluateObject(node: ts.ObjectLiteralExpression, scope: Scope): Value {
  const fields = new Map<string, Value>()
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const spread = evaluate(property.expression, scope)
      const type = scope.run.checker.getTypeAtLocation(property.expression)
      const names =
        spread.kind === 'opaque' ? type.getProperties().map(({ name }) => name) : namesOf(spread)
      for (const name of names) fields.set(name, fieldOf(spread, name))
    } else if (ts.isPropertyAssignment(property)) {
      fields.set(nameOf(property.name), evaluate(property.initializer, scope))
    } else if (ts.isShorthandPropertyAssignment(property)) {
      const symbol = scope.run.checker.getShorthandAssignmentValueSymbol(property)
      fields.set(property.name.text, lookUp(symbol, property.name, scope))
    }
  }
  return { kind: 'record', fields }
}

/** Of a table, where the key is not known, any row may be meant. */
function evaluateElement(node: ts.ElementAccessExpression, scope: Scope): Value {
  const value = evaluate(node.expression, scope)
  const key = node.argumentExpression
  if (ts.isNumericLiteral(key) || ts.isStringLiteralLike(key)) return fieldOf(value, key.text)
  const named = evaluate(key, scope)
  if (named.kind === 'text') return fieldOf(value, named.text)
  if (value.kind === 'opaque') return within(value, `[${key.getText()}]`)
  if (value.kind !== 'record') return opaque(node)
  const path = named.kind === 'opaque' ? named.path : opaque(key).path
  return anyOf({ kind: 'list', items: [...value.fields.values()] }, path, scope)
}

type Wrapped =
  | ts.ParenthesizedExpression
  | ts.AsExpression
  | ts.SatisfiesExpression
  | ts.NonNullExpression
  | ts.AwaitExpression

const isWrapped = (node: ts.Expression): node is Wrapped =>
  ts.isParenthesizedExpression(node) ||
  ts.isAsExpression(node) ||
  ts.isSatisfiesExpression(node) ||
  ts.isNonNullExpression(node) ||
  ts.isAwaitExpression(node)

const nameOf = (name: ts.PropertyName): string =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : name.getText()
