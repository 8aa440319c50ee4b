import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderPermissions } from './permissions.ts'
import type { Permission } from './permissions.ts'

const ROWS: readonly { given: Permission[]; answered: Permission[]; why: string }[] = [
  { given: ['VIEW'], answered: ['VIEW'], why: 'one' },
  { given: ['MANAGE', 'VIEW'], answered: ['VIEW', 'MANAGE'], why: 'in the catalogue’s order' },
  { given: ['TRANSACT', 'TRANSACT'], answered: ['TRANSACT'], why: 'repeats collapse' },
  { given: ['MANAGE'], answered: ['MANAGE'], why: 'none implies another' },
]
for (const { given, answered, why } of ROWS) {
  test(`TOK-1 ${given.join(', ')} is answered as ${answered.join(', ')}: ${why}`, () => {
    assert.deepEqual(orderPermissions(given), answered)
  })
}
