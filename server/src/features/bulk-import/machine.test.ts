import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine } from '../../kernel/machine.ts'
import { bulkImport } from './machine.ts'

test('BULK-10 an import ends once', () => {
  const { initial, terminal, unreachable } = describeMachine(bulkImport)
  assert.deepEqual(initial, ['PENDING'])
  assert.deepEqual(terminal, ['COMPLETED', 'FAILED'])
  assert.deepEqual(unreachable, [])
})
