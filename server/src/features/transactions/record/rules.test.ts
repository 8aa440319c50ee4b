import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../kernel/ids.ts'
import {
  cancelRefusal,
  isReceiptTimeAllowed,
  refundTargetOf,
  sandboxTransactionHash,
} from './rules.ts'

test('TXN-8 a refund goes back the way its money came, crypto to its owner’s account', () => {
  const accountId = newId('internalAccount')
  const target = { kind: 'account', accountId }
  assert.deepEqual(refundTargetOf({ kind: 'internalAccount', accountId }), target)
  assert.deepEqual(refundTargetOf({ kind: 'realtimeCrypto', ownerAccountId: accountId }), target)
  const outside = { kind: 'outside', rail: 'ACH' }
  assert.deepEqual(refundTargetOf({ kind: 'pull', rail: 'ACH' }), outside)
  assert.deepEqual(refundTargetOf({ kind: 'realtimeFiat', rail: 'ACH' }), outside)
})

const RECEIPTS: readonly (readonly [confirmedAt: string, isAllowed: boolean, because: string])[] = [
  ['2026-03-01T09:59:59.999Z', false, 'before the transaction existed'],
  ['2026-03-01T10:00:00.000Z', true, 'at its creation'],
  ['2026-03-01T12:05:00.000Z', true, 'five minutes ahead'],
  ['2026-03-01T12:05:00.001Z', false, 'more than five minutes ahead'],
]

for (const [confirmedAt, isAllowed, because] of RECEIPTS) {
  test(`TXN-13 a receipt of ${confirmedAt} is ${isAllowed ? 'taken' : 'refused'}: ${because}`, () => {
    const times = {
      confirmedAt: new Date(confirmedAt),
      createdAt: new Date('2026-03-01T10:00:00.000Z'),
      now: new Date('2026-03-01T12:00:00.000Z'),
    }
    assert.equal(isReceiptTimeAllowed(times), isAllowed)
  })
}

const transfer = { status: 'PENDING', paymentRail: 'ACH', isPull: false, isUnderWay: true } as const
const CANCELS = [
  [transfer, undefined, 'a transfer over ACH that has not settled'],
  [{ ...transfer, status: 'PROCESSING', paymentRail: 'WIRE' }, undefined, 'a wire under way'],
  [{ ...transfer, paymentRail: undefined, isPull: true }, undefined, 'a pull'],
  [{ ...transfer, paymentRail: 'RTP' }, 'INVALID_INPUT', 'another rail'],
  [
    { ...transfer, paymentRail: undefined },
    'INVALID_INPUT',
    'no rail: wallet, UMA, internal, deposit',
  ],
  [
    { ...transfer, status: 'COMPLETED', paymentRail: 'RTP' },
    'INVALID_INPUT',
    'the rail comes first',
  ],
  [{ ...transfer, status: 'COMPLETED' }, 'TRANSACTION_NOT_CANCELLABLE', 'settled'],
  [{ ...transfer, status: 'FAILED' }, 'TRANSACTION_NOT_CANCELLABLE', 'already over'],
  [{ ...transfer, status: 'PENDING_AUTHORIZATION' }, 'TRANSACTION_NOT_CANCELLABLE', 'not executed'],
  [{ ...transfer, isUnderWay: false }, 'TRANSACTION_NOT_CANCELLABLE', 'a quote not executed'],
] as const

for (const [asked, expected, because] of CANCELS) {
  test(`TXN-15 cancel ${asked.status}: ${because}`, () => {
    assert.equal(cancelRefusal(asked), expected)
  })
}

test('TXN-18 the sandbox hash is 64 hex digits and follows from the id', () => {
  const id = newId('transaction')
  assert.match(sandboxTransactionHash(id), /^[0-9a-f]{64}$/)
  assert.equal(sandboxTransactionHash(id), sandboxTransactionHash(id))
  assert.notEqual(sandboxTransactionHash(id), sandboxTransactionHash(newId('transaction')))
})
