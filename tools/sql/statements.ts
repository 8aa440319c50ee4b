import ts from 'typescript'
import { isReached } from './conditions.ts'
import { isSqlType, startRun } from './evaluate.ts'
import { textOf, toSql } from './fragments.ts'
import { isFunction } from './guards.ts'
import { bindCall } from './names.ts'
import {
  evaluate,
  Unreachable,
  Unresolved,
  type FunctionNode,
  type Scope,
  type SqlValue,
} from './value.ts'

/** A place where the program hands a statement to the database. */
export type Asking = Readonly<{
  node: ts.CallExpression
  query: ts.Expression
  /** What each row is said to be; undefined where no row is asked for. */
  row: ts.Type | undefined
}>

export type Composed = Readonly<{ texts: ReadonlySet<string>; templates: ReadonlySet<ts.Node> }>

/** Answers to what only the running program knows, where they are not the usual ones. */
type Way = ReadonlyMap<string, boolean>

const METHODS = ['one', 'maybe', 'find', 'many', 'run', 'queueWrite']
/**
 * A file that asks writes the statement, names its type, or calls the transaction by one of its usual names, and under
 * any other name hands it a statement. Elsewhere the methods are those of other things, whose type may take seconds.
 */
const NAMES_TYPES = /\b(?:sql|Sql|Tx)\b/
const USUAL_NAME = /\b(?:tx|read)$/
const WAYS_MAX = 300
const CALLERS_MAX = 4

/** Every call of a method of `Tx`, whatever the transaction is called there. */
export function findAskings(checker: ts.TypeChecker, files: readonly ts.SourceFile[]): Asking[] {
  const found: Asking[] = []
  const visit = (node: ts.Node): void => {
    const query = ts.isCallExpression(node) && queryOf(checker, node)
    if (query) found.push({ node, query, row: rowOf(checker, node) })
    ts.forEachChild(node, visit)
  }
  files.forEach(visit)
  return found
}

function queryOf(checker: ts.TypeChecker, call: ts.CallExpression): ts.Expression | undefined {
  const { expression: called } = call
  const [query] = call.arguments
  if (!ts.isPropertyAccessExpression(called) || !METHODS.includes(called.name.text))
    return undefined
  if (!query || isFunction(query)) return undefined
  const mayAsk =
    USUAL_NAME.test(called.expression.getText()) ||
    (NAMES_TYPES.test(call.getSourceFile().text) && isSqlType(checker.getTypeAtLocation(query)))
  if (!mayAsk) return undefined
  const type = checker.getTypeAtLocation(called.expression)
  const isTx = METHODS.every((name) => type.getProperty(name) !== undefined)
  return isTx ? query : undefined
}

/** The `R` of `Promise<R>`, `Promise<R | undefined>` or `Promise<R[]>`. */
function rowOf(checker: ts.TypeChecker, call: ts.CallExpression): ts.Type | undefined {
  const { name } = call.expression as ts.PropertyAccessExpression
  if (['run', 'queueWrite'].includes(name.text)) return undefined
  const promised = checker.getResolvedSignature(call)?.getReturnType()
  const answer = promised && checker.getAwaitedType(promised)
  if (!answer) return undefined
  const row =
    name.text === 'many' ? checker.getIndexTypeOfType(answer, ts.IndexKind.Number) : answer
  return row && checker.getNonNullableType(row)
}

/** Puts statements together in every way that the program may, each choice seen at least once either way. */
export function createComposer(asked: ts.TypeChecker, files: readonly ts.SourceFile[]) {
  const checker = remembering(asked)
  const callersOf = createCallers(checker, files)

  /** `callers` lead to the query, the outermost first. */
  function composeVia(query: ts.Expression, callers: readonly ts.CallExpression[]): Composed {
    const texts = new Set<string>()
    const templates = new Set<ts.Node>()
    for (const sql of inEveryWay((outermost) => {
      const scope = enter(callers, outermost)
      mustReach(query, scope)
      return toSql(evaluate(query, scope), query)
    })) {
      texts.add(textOf(sql))
      for (const template of sql.templates) templates.add(template)
    }
    return { texts, templates }
  }

  /**
   * Every question is answered the other way once, and, where that leads to templates not seen before, so is every
   * other question from there on.
   */
  function inEveryWay(compose: (outermost: Scope) => SqlValue): SqlValue[] {
    const found: SqlValue[] = []
    const seen = new Set<ts.Node>()
    const known = new Set<string>()
    const ways: Way[] = [new Map()]
    for (let at = 0; at < ways.length && at < WAYS_MAX; at += 1) {
      const way = ways[at] as Way
      const asked = new Map<string, boolean>()
      const outermost = startRun(checker, (question, usual) => {
        const answer = way.get(question) ?? usual
        asked.set(question, answer)
        return answer
      })
      const sql = reached(() => compose(outermost))
      if (sql) found.push(sql)
      const isNew = sql?.templates.some((template) => !seen.has(template)) ?? false
      for (const template of sql?.templates ?? []) seen.add(template)
      for (const [question, answer] of asked) {
        if (way.has(question) || (known.has(question) && !isNew)) continue
        known.add(question)
        ways.push(new Map([...way, [question, !answer]]))
      }
    }
    return found
  }

  function compose(query: ts.Expression, callers: readonly ts.CallExpression[] = []): Composed {
    try {
      return composeVia(query, callers)
    } catch (error) {
      if (!(error instanceof Unresolved) || callers.length >= CALLERS_MAX) throw error
      const outermost = ts.findAncestor(callers[0] ?? query, (node) => node === error.parameterOf)
      if (!outermost) throw error
      const calls = callersOf(outermost as FunctionNode)
      const all = calls.map((call) => compose(query, [call, ...callers]))
      if (all.length === 0) throw error
      return {
        texts: new Set(all.flatMap(({ texts }) => [...texts])),
        templates: new Set(all.flatMap(({ templates }) => [...templates])),
      }
    }
  }

  return (query: ts.Expression): Composed => compose(query)
}

/** Every way asks the same of the same nodes again, and the compiler works some of it out each time. */
function remembering(checker: ts.TypeChecker): ts.TypeChecker {
  return {
    ...checker,
    getSymbolAtLocation: remembered(checker.getSymbolAtLocation),
    getTypeAtLocation: remembered(checker.getTypeAtLocation),
  }
}

function remembered<T>(answer: (node: ts.Node) => T): (node: ts.Node) => T {
  const known = new Map<ts.Node, T>()
  return (node) => {
    if (!known.has(node)) known.set(node, answer(node))
    return known.get(node) as T
  }
}

function reached<T>(compose: () => T): T | undefined {
  try {
    return compose()
  } catch (error) {
    if (error instanceof Unreachable) return undefined
    throw error
  }
}

/** The scope of the innermost function, its parameters bound by the calls that lead to it. */
function enter(callers: readonly ts.CallExpression[], outermost: Scope): Scope {
  return callers.reduce((scope, call) => {
    mustReach(call, scope)
    const args = call.arguments.map((argument) => evaluate(argument, scope))
    const fn = scope.run.checker.getResolvedSignature(call)?.declaration as FunctionNode
    return bindCall(fn, args, outermost)
  }, outermost)
}

function mustReach(node: ts.Node, scope: Scope): void {
  if (!isReached(node, scope)) throw new Unreachable()
}

function createCallers(checker: ts.TypeChecker, files: readonly ts.SourceFile[]) {
  let byName: Map<string, ts.CallExpression[]> | undefined
  const index = (): Map<string, ts.CallExpression[]> => {
    const calls: ts.CallExpression[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) calls.push(node)
      ts.forEachChild(node, visit)
    }
    files.forEach(visit)
    return Map.groupBy(calls, ({ expression }) => expression.getText())
  }
  return (fn: FunctionNode): ts.CallExpression[] => {
    byName ??= index()
    const name = ts.isVariableDeclaration(fn.parent) ? fn.parent.name.getText() : fn.name?.text
    const calls = byName.get(name ?? '') ?? []
    return calls.filter((call) => checker.getResolvedSignature(call)?.declaration === fn)
  }
}
