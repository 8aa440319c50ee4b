import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TimelineRow } from './store.ts'
import { entryToWire, isShown } from './wire.ts'

const ROW: TimelineRow = {
  id: '01994d2e-7c1a-7f00-8000-000000000001',
  at: new Date('2026-01-31T12:00:00.000Z'),
  kind: 'ACTION',
  what: 'createQuote',
  actor: 'Token:01994d2e-7c1a-7f00-8000-000000000002',
  why: null,
  amount: null,
  currency: null,
  state: null,
}

const HIDDEN: readonly (readonly [string, Partial<TimelineRow>])[] = [
  ['what an operator only looked at', { actor: 'operator:ada', what: 'screening show' }],
  ['a hold', { actor: 'operator-token:ada/ci', what: 'review hold' }],
  ['an exception that was resolved', { actor: 'local:root', what: 'exceptions resolve' }],
  ['what a provider fetched', { actor: 'provider:kyc', what: 'provider-files fetch' }],
  ['a screening', { kind: 'ORDER', actor: 'provider:lists', what: 'SCREENING', state: 'DECIDED' }],
  ['a job of the house', { kind: 'DUE', actor: null, what: 'retention.apply' }],
]
for (const [why, row] of HIDDEN) {
  test(`OPER-131 a platform does not see ${why}`, () => assert.ok(!isShown({ ...ROW, ...row })))
}

test('OPER-131 names, notes, texts of providers and errors of jobs stay inside', () => {
  const secret = { why: 'secret words' }
  const rows: readonly Partial<TimelineRow>[] = [
    { ...secret, actor: 'operator:secret-name', what: 'cards freeze' },
    { ...secret, actor: 'operator-token:secret-name/ci', what: 'cards close' },
    { ...secret, kind: 'ORDER', actor: 'provider:secret-bank', what: 'PAYOUT', state: 'FAILED' },
    { ...secret, kind: 'DUE', actor: null, what: 'transactions.settle' },
  ]
  const entries = rows.map((row) => entryToWire({ ...ROW, ...row }))
  assert.doesNotMatch(JSON.stringify(entries), /secret/)
  assert.deepEqual(
    entries.map(({ by, why }) => [by, why]),
    [
      ['OPERATOR', undefined],
      ['OPERATOR', undefined],
      ['PROVIDER', 'OTHER'],
      ['SERVICE', undefined],
    ],
  )
})

test('OPER-131 a reason that the contract has is said', () => {
  const row = { ...ROW, kind: 'ORDER', actor: 'provider:bank', why: 'ACCOUNT_CLOSED' } as const
  assert.equal(entryToWire(row).why, 'ACCOUNT_CLOSED')
})
