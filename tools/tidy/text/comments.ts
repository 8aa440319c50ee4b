import ts from 'typescript'
import { lineAt, visit, type CodeFile } from '../project/code-file.ts'
import { isCode, isGenerated, isTest } from '../project/places.ts'
import type { Project } from '../project/project.ts'
import type { ProjectRule, Spot } from '../project/rule.ts'

export const commentRules: readonly ProjectRule[] = [
  {
    kind: 'project',
    name: 'unfinished',
    fix: 'finish it or leave it out; what is left for later is an issue, not a comment',
    check: unfinished,
  },
  {
    kind: 'project',
    name: 'silenced-check',
    fix: 'mend the cause; no check is switched off in place',
    check: silenced,
  },
  {
    kind: 'project',
    name: 'commented-out-code',
    fix: 'delete it; git remembers',
    check: commentedOut,
  },
  {
    kind: 'project',
    name: 'bare-rule-id',
    fix: 'say why in a sentence, with the id at its end in parentheses; or leave the comment out',
    check: bareIds,
  },
]

// Written in two halves, so that these lines do not find themselves.
const UNFINISHED = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b(?!-)`)
const SILENCED = new RegExp(`@ts-(ignore|nocheck|expect-error)|(es|ox)lint-${'disable'}|c8 ignore`)

type Line = Readonly<{ line: number; text: string }>

const linesOf = (file: CodeFile): Line[] =>
  file.comments.flatMap(({ text, start }) => {
    const first = lineAt(file, start)
    return text.split('\n').map((part, index) => ({ line: first + index, text: part }))
  })

function* unfinished({ texts, code }: Project): Generator<Spot> {
  for (const [file, text] of texts) {
    const parsed = code.get(file)
    if (parsed === undefined && !/\.(md|sql|ya?ml|sh|css|html)$/.test(file)) continue
    const lines =
      parsed === undefined
        ? text.split('\n').map((line, index) => ({ line: index + 1, text: line }))
        : linesOf(parsed)
    for (const { line, text } of lines) if (UNFINISHED.test(text)) yield { file, line }
  }
}

/** A test may expect an error of the compiler: that is how it proves that a type refuses something. */
function* silenced({ code }: Project): Generator<Spot> {
  for (const file of code.values()) {
    for (const { line, text } of linesOf(file)) {
      const word = SILENCED.exec(text)?.[0]
      if (word === undefined || (word.endsWith('expect-error') && isTest(file.path))) continue
      yield { file: file.path, line, detail: word }
    }
  }
}

function* commentedOut({ texts, code }: Project): Generator<Spot> {
  for (const file of code.values()) {
    if (isGenerated(file.path)) continue
    for (const comment of file.comments) {
      // A doc comment may show how to call the thing.
      if (comment.kind === 'doc') continue
      const first = lineAt(file, comment.start)
      for (const [index, text] of comment.text.split('\n').entries()) {
        if (isCodeLine(text)) yield { file: file.path, line: first + index }
      }
    }
  }
  for (const [file, text] of texts) {
    if (isCode(file) || !file.endsWith('.sql')) continue
    for (const [index, line] of text.split('\n').entries()) {
      if (/^\s*--\s*(create|alter|drop|insert|update|delete|select)\b.*;\s*$/i.test(line)) {
        yield { file, line: index + 1 }
      }
    }
  }
}

/** What is left of a comment without ids, chapters, the words between them and punctuation. */
const withoutIds = (comment: string): string =>
  comment.replace(/\b[A-Z]{2,}-\d{1,3}\b|\b(and|to|of|see|chapters?|sections?)\b|[^A-Za-z]/gi, '')

function* bareIds({ code }: Project): Generator<Spot> {
  for (const file of code.values()) {
    for (const { text, start } of file.comments) {
      const isCitation = /\b[A-Z]{2,}-\d{1,3}\b|\bchapter \d/i.test(text)
      if (isCitation && withoutIds(text) === '')
        yield { file: file.path, line: lineAt(file, start) }
    }
  }
}

/** Prose hardly ever parses. What parses and does something is code; a lone word or a formula is not. */
function isCodeLine(comment: string): boolean {
  const text = comment
    .replace(/^\s*(\/\/+|\/\*+|\*+(?!\/))/, '')
    .replace(/\*\/\s*$/, '')
    .trim()
  if (!/[=(]|^(import|export|return|throw)\b/.test(text)) return false
  const whole = closed(text.replace(/^[)}\]]+\s*(else\b)?/, ''))
  const { diagnostics } = ts.transpileModule(whole, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  })
  if ((diagnostics ?? []).length > 0) return false
  const { statements } = ts.createSourceFile('comment.ts', whole, ts.ScriptTarget.ESNext, true)
  return statements.some(doesSomething)
}

/** A line that ends inside a bracket is completed, so that it can be parsed by itself. */
function closed(text: string): string {
  const open: string[] = []
  const partner: Record<string, string> = { '(': ')', '[': ']', '{': '}' }
  for (const character of text) {
    if (partner[character] !== undefined) open.push(partner[character])
    else if (character === open.at(-1)) open.pop()
  }
  return text + open.reverse().join('')
}

function doesSomething(statement: ts.Statement): boolean {
  if (ts.isVariableStatement(statement) || ts.isFunctionDeclaration(statement)) return true
  if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) return true
  if (ts.isIfStatement(statement)) return !ts.isExpressionStatement(statement.thenStatement)
  if (ts.isIterationStatement(statement, false)) return true
  if (ts.isThrowStatement(statement)) return ts.isNewExpression(statement.expression)
  if (ts.isReturnStatement(statement)) {
    return statement.expression !== undefined && callsSomething(statement.expression)
  }
  if (!ts.isExpressionStatement(statement)) return false
  const { expression } = statement
  if (ts.isAwaitExpression(expression)) return callsSomething(expression)
  if (ts.isCallExpression(expression)) return ts.isPropertyAccessExpression(expression.expression)
  return isAssignment(expression) && ts.isPropertyAccessExpression(expression.left)
}

const isAssignment = (node: ts.Expression): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken

function callsSomething(node: ts.Node): boolean {
  let calls = ts.isCallExpression(node)
  visit(node, (inner) => {
    calls ||= ts.isCallExpression(inner)
  })
  return calls
}
