import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asId } from '../../../kernel/ids.ts'
import { availableOf, RECEIVABLE_PLATFORM } from '../../../ledger/chart.ts'
import { forcePost } from './steps.ts'

const UUID = '01994d2e-7c1a-7f00-8000-00000000000'
const now = new Date('2026-11-16T00:00:00.000Z')
const platformAccountId = asId('internalAccount', `${UUID}2`)
const asked = {
  cardId: asId('card', `${UUID}3`),
  customerId: asId('customer', `${UUID}4`),
  platformCustomerId: 'mira',
  accountId: asId('internalAccount', `${UUID}1`),
  merchant: { descriptor: 'BOULANGERIE' },
  currency: 'USD',
  now,
}
const clearing = {
  amount: 1_000n,
  foreign: {
    money: { amount: 862n, currency: 'EUR' },
    serviceFees: 10n,
    platformFees: 53n,
    platformAccountId,
  },
}

for (const [owed, repaid] of [
  [0n, []],
  [20n, [20n]],
  [90n, [53n]],
] as const) {
  test(`K8 FEE-6 of a platform fee of 53 a platform that owes ${owed} repays ${repaid.join() || 'nothing'}`, () => {
    const means = { now, available: 1_000n, owedByPlatform: owed }
    const { journals } = forcePost(asked, clearing, means)
    const postings = journals.flatMap((journal) => journal.postings)
    const onto = (account: string) =>
      postings.filter((posting) => posting.account === account).map(({ amount }) => amount)
    assert.deepEqual(onto(RECEIVABLE_PLATFORM), repaid)
    const kept = onto(availableOf(platformAccountId)).reduce((sum, amount) => sum + amount, 0n)
    assert.equal(kept, 53n - (repaid[0] ?? 0n))
  })
}
