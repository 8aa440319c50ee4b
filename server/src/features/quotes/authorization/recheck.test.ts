import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Quote } from '../../../../../sdk/src/index.ts'
import { expectError, expectStatus, text, type Body, type Shown } from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  customerAccount,
  eventTypesOf,
  payee,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import {
  authorize,
  awaiting,
  balances,
  scaPayer,
  type ScaPayer,
} from '../../../../test/kit/sca/payments.ts'
import { WRONG } from '../../../../test/kit/sca/sca.ts'

const kit = await startKit()

const freeze = (account: string) => operate(kit, `accounts freeze ${account}`)
const limit = ({ platformId }: TestPlatform, options: string) =>
  operate(kit, `limits set --platform ${platformId} --currency USD ${options}`)
const remove = async ({ api }: TestPlatform, path: string): Promise<void> =>
  void assert.ok((await api.delete(path)).status < 300)

/** The last event about the payer's account. */
async function lastBalanceEvent({ platform, from }: ScaPayer) {
  const query = { type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED', limit: 100 }
  const events = expectStatus(await platform.api.get('/events', { query }), 200).data
  return events.find(({ data }) => text(data?.['id']) === from)?.data
}

async function expectStopped(
  payer: ScaPayer,
  quoted: Shown<Quote>,
  expected: Readonly<{ reason: string; failureReason: string }>,
): Promise<void> {
  const { platform } = payer
  const details = expectError(await authorize(platform, quoted), 409, 'CONFLICT')
  assert.deepEqual(details, { ...expected, quoteStatus: 'FAILED' } as unknown as Body)
  assert.equal((await readQuote(platform, quoted)).status, 'FAILED')
  const transaction = await readTransaction(platform, quoted.transactionId)
  assert.equal(transaction.status, 'FAILED')
  assert.equal(transaction.failureReason, expected.failureReason)
  assert.equal(transaction.refund, undefined)
  const types = await eventTypesOf(platform, quoted.transactionId)
  assert.equal(types.at(-1), 'OUTGOING_PAYMENT.FAILED')
  expectError(await authorize(platform, quoted), 409, 'CONFLICT')
}

type Change = (payer: ScaPayer) => Promise<unknown>
type Case = readonly [what: string, change: Change, reason: string, failureReason: string]

const CASES: readonly Case[] = [
  [
    'scenario 16: a frozen source',
    ({ from }) => freeze(from),
    'ACCOUNT_NOT_ACTIVE',
    'COMPLIANCE_REJECTED',
  ],
  [
    'a customer on hold',
    ({ sca }) => operate(kit, `review hold ${sca.customerId}`),
    'CUSTOMER_NOT_READY',
    'COMPLIANCE_REJECTED',
  ],
  [
    'a deleted payee',
    ({ platform, to }) => remove(platform, `/customers/external-accounts/${to}`),
    'DESTINATION_DELETED',
    'ACCOUNT_INVALID',
  ],
  [
    'a payee under review',
    ({ to }) => operate(kit, `external-accounts set-status ${to} UNDER_REVIEW`),
    'DESTINATION_NOT_USABLE',
    'ACCOUNT_CANNOT_RECEIVE',
  ],
  [
    'a transaction limit below the amount',
    ({ platform }) => limit(platform, '--max-transaction 9999 --daily-volume 100000'),
    'LIMIT_EXCEEDED',
    'LIMIT_EXCEEDED',
  ],
  [
    'a daily volume below the amount',
    ({ platform }) => limit(platform, '--daily-volume 9999'),
    'LIMIT_EXCEEDED',
    'LIMIT_EXCEEDED',
  ],
  [
    'a freeze before everything else',
    async (payer) => {
      const { platform, from, sca, to } = payer
      await limit(platform, '--max-transaction 1 --daily-volume 1')
      await remove(platform, `/customers/external-accounts/${to}`)
      await operate(kit, `review hold ${sca.customerId}`)
      await freeze(from)
    },
    'ACCOUNT_NOT_ACTIVE',
    'COMPLIANCE_REJECTED',
  ],
  [
    'a hold before the payee and the limits',
    async ({ platform, sca, to }) => {
      await limit(platform, '--max-transaction 1 --daily-volume 1')
      await remove(platform, `/customers/external-accounts/${to}`)
      await operate(kit, `review hold ${sca.customerId}`)
    },
    'CUSTOMER_NOT_READY',
    'COMPLIANCE_REJECTED',
  ],
  [
    'a deleted payee before the limits',
    async ({ platform, to }) => {
      await limit(platform, '--max-transaction 1 --daily-volume 1')
      await remove(platform, `/customers/external-accounts/${to}`)
    },
    'DESTINATION_DELETED',
    'ACCOUNT_INVALID',
  ],
]

for (const [what, change, reason, failureReason] of CASES) {
  test(`SCA-56 SCA-52 ${what} stops a payment that awaits its proof, and its money is free again`, async () => {
    const payer = await scaPayer(kit)
    const quoted = await awaiting(payer)
    assert.deepEqual(await balances(payer), [90_000, 100_000])
    await change(payer)
    await expectStopped(payer, quoted, { reason, failureReason })
    assert.deepEqual(await balances(payer), [100_000, 100_000])
    const balanceEvent = await lastBalanceEvent(payer)
    assert.equal(balanceEvent?.['balance']?.['amount'], 100_000)
  })
}

test('SCA-56 a payee goes with its owner: an external account of a deleted customer is not paid', async () => {
  const payer = await scaPayer(kit)
  const { platform } = payer
  const owner = (await createCustomer(platform)).id
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId: owner })
  const quoted = await awaiting({ ...payer, to })
  await remove(platform, `/customers/${owner}`)
  const expected = { reason: 'DESTINATION_DELETED', failureReason: 'ACCOUNT_INVALID' }
  await expectStopped(payer, quoted, expected)
})

test('SCA-56 an internal account that is frozen receives nothing', async () => {
  const payer = await scaPayer(kit)
  const { platform } = payer
  const other = (await createCustomer(platform)).id
  const to = await customerAccount(platform, other, 'USD')
  const quoted = await awaiting({ ...payer, to })
  await freeze(to)
  const expected = {
    reason: 'DESTINATION_NOT_USABLE',
    failureReason: 'ACCOUNT_CANNOT_RECEIVE',
  }
  await expectStopped(payer, quoted, expected)
})

test('SCA-56 LIM-3 the amount counts once: a volume that it fills exactly lets it through', async () => {
  const payer = await scaPayer(kit)
  const { platform } = payer
  const quoted = await awaiting(payer)
  await limit(platform, '--max-transaction 10000 --daily-volume 10000')
  assert.equal(expectStatus(await authorize(platform, quoted), 200).status, 'PROCESSING')
})

test('SCA-56 LIM-4 a payment that was stopped leaves the day’s volume to others', async () => {
  const payer = await scaPayer(kit)
  const { platform, to } = payer
  await limit(platform, '--max-transaction 10000 --daily-volume 10000')
  const quoted = await awaiting(payer)
  await operate(kit, `external-accounts set-status ${to} UNDER_REVIEW`)
  expectError(await authorize(platform, quoted), 409, 'CONFLICT')
  await operate(kit, `external-accounts set-status ${to} ACTIVE`)
  const next = await awaiting(payer)
  assert.equal(expectStatus(await authorize(platform, next), 200).status, 'PROCESSING')
})

test('SCA-2 SCA-56 without a session nothing is re-checked and the payment waits on', async () => {
  const payer = await scaPayer(kit)
  const { platform, sca, from } = payer
  const quoted = await awaiting(payer)
  await freeze(from)
  expectStatus(await sca.post('/record-event', { eventType: 'RESET_PASSWORD_COMPLETED' }), 200)
  expectError(await authorize(platform, quoted), 409, 'SCA_SESSION_REQUIRED')
  assert.equal((await readQuote(platform, quoted)).status, 'PENDING_AUTHORIZATION')
})

test('SCA-56 a wrong proof of a payment that is stopped is neither looked at nor counted', async () => {
  const payer = await scaPayer(kit)
  const { platform, sca, from } = payer
  const quoted = await awaiting(payer)
  await freeze(from)
  const answer = await authorize(platform, quoted, { code: WRONG })
  assert.equal(expectError(answer, 409, 'CONFLICT')['reason'], 'ACCOUNT_NOT_ACTIVE')
  const body = { eventType: 'FAILED_LOGIN_ATTEMPT' }
  assert.equal(expectStatus(await sca.post('/record-event', body), 200).failedAttempts, 1)
})

test('SCA-56 SCA-45 funds that may not come yet are re-checked at every step', async () => {
  const payer = await scaPayer(kit)
  const { platform, sca, to } = payer
  const created = expectStatus(
    await platform.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: sca.customerId },
      destination: { destinationType: 'ACCOUNT', accountId: to },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    }),
    202,
  )
  const second = expectStatus(await authorize(platform, created), 200)
  assert.equal(second.status, 'PENDING_AUTHORIZATION')
  await operate(kit, `review hold ${sca.customerId}`)
  const expected = { reason: 'CUSTOMER_NOT_READY', failureReason: 'COMPLIANCE_REJECTED' }
  await expectStopped(payer, created, expected)
  const transaction = await readTransaction(platform, created.transactionId)
  assert.equal(transaction.paymentInstructions, undefined)
  assert.equal((await readQuote(platform, created)).paymentInstructions, undefined)
  assert.deepEqual(await balances(payer), [100_000, 100_000])
})

test('SCA-56 CORE-41 the refusal is kept under its key, and the payment ends once', async () => {
  const payer = await scaPayer(kit)
  const { platform, from } = payer
  const quoted = await awaiting(payer)
  await freeze(from)
  const send = () =>
    platform.api.post(
      `/quotes/${quoted.id}/authorize`,
      { code: '123456', endUserIpAddress: '203.0.113.7' },
      { headers: { 'idempotency-key': 'one proof' } },
    )
  const first = await send()
  assert.equal(expectError(first, 409, 'CONFLICT')['reason'], 'ACCOUNT_NOT_ACTIVE')
  const again = await send()
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, first.body)
  const types = await eventTypesOf(platform, quoted.transactionId)
  assert.equal(types.filter((type) => type === 'OUTGOING_PAYMENT.FAILED').length, 1)
})
