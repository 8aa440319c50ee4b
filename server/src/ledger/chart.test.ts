import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvariantError } from '../kernel/invariant.ts'
import { asId } from '../kernel/ids.ts'
import {
  availableOf,
  balanceRuleOf,
  CARD_NETWORK,
  FX,
  parseLedgerAccount,
  worldOf,
} from './chart.ts'

const id = asId('internalAccount', '01994d2e-7c1a-7f00-8000-000000000001')

test('LEDG-3 a name of the chart reads back as the account it names', () => {
  for (const account of [availableOf(id), worldOf('ACH'), FX, CARD_NETWORK]) {
    assert.equal(parseLedgerAccount(String(account)), account)
  }
  assert.equal(balanceRuleOf(parseLedgerAccount('CARD_SHORTFALL:x')), 'not-positive')
})

for (const name of ['', 'IB:x', 'SUSPENS:unattributed', 'FXX', 'toString', 'ia:x']) {
  test(`LEDG-3 the chart refuses the unknown name ${JSON.stringify(name)}`, () => {
    assert.throws(() => parseLedgerAccount(name), InvariantError)
  })
}
