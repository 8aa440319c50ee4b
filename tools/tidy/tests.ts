import ts from 'typescript'
import { isTest } from './project/places.ts'
import type { NodeRule } from './project/rule.ts'

const RUNNERS = new Set(['test', 'it', 'describe', 'suite'])
const SWITCHES = new Set(['only', 'skip', 'todo'])

export const testRules: readonly NodeRule[] = [
  {
    kind: 'node',
    name: 'test-switched-off',
    fix: 'run every test, always; mend or delete it',
    covers: isTest,
    breaks: (node) => isSwitchedCall(node) || isSwitchOption(node),
  },
  {
    kind: 'node',
    name: 'test-title',
    fix: 'say in at least three words after the rule ids what holds; the number of a section or scenario follows in parentheses',
    covers: isTest,
    breaks: (node) => ts.isCallExpression(node) && isBareTitle(titleOf(node)),
  },
]

const TITLED = new Set(['test', 'it'])
const RULE_IDS = /^([A-Z]+-\d+ )+/
const NUMBERED = /^(section|scenario)s? [\d…]/
/** Where a title says what of the chapter it proves. */
const PLACE = / \((section|scenario)s? [^()]*\)$/
const FEWEST_WORDS = 3

/** Up to the first value put into it, which may be any number of words. */
function titleOf({ expression, arguments: [title] }: ts.CallExpression): string | undefined {
  if (!title || !ts.isIdentifier(expression) || !TITLED.has(expression.text)) return undefined
  if (ts.isStringLiteralLike(title)) return title.text
  return ts.isTemplateExpression(title) ? `${title.head.text}… of any length` : undefined
}

function isBareTitle(title: string | undefined): boolean {
  if (title === undefined) return false
  const sentence = `${title} `.replace(RULE_IDS, '').trim().replace(PLACE, '')
  return NUMBERED.test(sentence) || sentence.split(/\s+/).length < FEWEST_WORDS
}

/** `test.only(…)`, `describe.skip(…)`, and `t.skip(…)` inside a test. */
function isSwitchedCall(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || !SWITCHES.has(node.name.text)) return false
  const object = node.expression
  return ts.isIdentifier(object) && (RUNNERS.has(object.text) || /^(t|context)$/.test(object.text))
}

/** `test('…', { skip: true }, …)`; a switch that depends on something is off somewhere. */
function isSwitchOption(node: ts.Node): boolean {
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return false
  if (!ts.isIdentifier(node.name) || !SWITCHES.has(node.name.text)) return false
  const call = node.parent.parent
  return (
    ts.isCallExpression(call) &&
    ts.isIdentifier(call.expression) &&
    RUNNERS.has(call.expression.text)
  )
}
