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
]

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
