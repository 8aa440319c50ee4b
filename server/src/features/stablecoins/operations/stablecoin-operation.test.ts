import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderReport } from '../../../providers/stablecoin-issuer.ts'
import { advance } from '../../../kernel/machine.ts'
import { stablecoinOperation, type OperationStatus } from '../machine.ts'
import { isExpired, movesTo } from './stablecoin-operation.ts'

const REPORTS: readonly [OperationStatus, OrderReport['state'], OperationStatus, string][] = [
  ['PENDING_FUNDING', 'WAITING', 'PENDING_FUNDING', 'no news'],
  ['PENDING_FUNDING', 'PROCESSING', 'PROCESSING', 'funds received'],
  ['PENDING_FUNDING', 'COMPLETED', 'COMPLETED', 'a report was missed'],
  ['PENDING_FUNDING', 'FAILED', 'FAILED', 'funded, then failed'],
  ['PENDING_PROVIDER', 'WAITING', 'PENDING_PROVIDER', 'no news'],
  ['PENDING_PROVIDER', 'PROCESSING', 'PROCESSING', 'the provider started'],
  ['PENDING_PROVIDER', 'COMPLETED', 'COMPLETED', 'a report was missed'],
  ['PENDING_PROVIDER', 'FAILED', 'FAILED', 'the debit failed'],
  ['PROCESSING', 'WAITING', 'PROCESSING', 'a provider that forgot what it said'],
  ['PROCESSING', 'PROCESSING', 'PROCESSING', 'no news'],
  ['PROCESSING', 'COMPLETED', 'COMPLETED', 'done'],
  ['PROCESSING', 'FAILED', 'FAILED', 'failed on the way'],
]

for (const [from, state, to, why] of REPORTS) {
  test(`section 3: ${from} reported ${state} becomes ${to}: ${why}`, () => {
    const reached = movesTo(from, state).reduce(
      (status, event) => advance(stablecoinOperation, status, event),
      from,
    )
    assert.equal(reached, to)
  })
}

const NOON = new Date('2026-01-01T12:00:00.000Z')
const EXPIRIES: readonly [OperationStatus, number | null, boolean, string][] = [
  ['PENDING_FUNDING', 1, false, 'a millisecond left'],
  ['PENDING_FUNDING', 0, true, 'the very instant'],
  ['PENDING_FUNDING', -1, true, 'past'],
  ['PROCESSING', -1, false, 'funded in time'],
  ['COMPLETED', -1, false, 'final'],
  ['PENDING_PROVIDER', null, false, 'awaits nothing from outside'],
]

for (const [status, leftMs, expired, why] of EXPIRIES) {
  test(`section 3: ${status} with ${leftMs} ms left is ${expired ? '' : 'not '}expired: ${why}`, () => {
    const expiresAt = leftMs === null ? null : new Date(NOON.getTime() + leftMs)
    assert.equal(isExpired({ status, expiresAt }, NOON), expired)
  })
}
