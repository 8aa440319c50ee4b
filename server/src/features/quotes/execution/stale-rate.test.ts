/** In production a price is as old as its last update by the operator (RATE-11). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  eventTypesOf,
  execute,
  platformAccount,
  quote,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const { db, clock } = kit.florin.deps
const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'EUR'] })
const from = await platformAccount(platform, 'USD')
const to = await platformAccount(platform, 'EUR')
const NUMBER = '7000000001'
const US_ACCOUNT = {
  accountType: 'US_ACCOUNT',
  routingNumber: '021000021',
  accountNumber: NUMBER,
  paymentRails: ['RTP'],
}
const EUR_ACCOUNT = {
  accountType: 'EUR_ACCOUNT',
  iban: 'DE89370400440532013000',
  swiftCode: 'DEUTDEFF',
  paymentRails: ['SEPA_INSTANT'],
}
await operate(kit, `accounts provision ${from} --instruction`, JSON.stringify(US_ACCOUNT))
await operate(kit, `accounts provision ${to} --instruction`, JSON.stringify(EUR_ACCOUNT))

const receive = (amount: number, reference = '') =>
  operate(
    kit,
    `deposits receive --amount ${amount} --currency USD --rail RTP --trace ${newUuid()} --to ${NUMBER}`,
    '--reference',
    reference,
  )

await receive(100_000)

const setPrices = () => operate(kit, 'rates set --price EUR=0.92 --price BTC=1/120000')

/** As if nobody had told a price for a while. */
const age = (seconds: number) =>
  db.read.run(sql`update market_prices set set_at = ${addMs(clock.now(), -seconds * SECOND_MS)}`)

test('RATE-11 a rate that is refused at execution fails the payment before anything is debited', async () => {
  await setPrices()
  const asked = { from, to, amount: 10_000 }
  const [first, second] = [
    expectStatus(await quote(platform, asked), 201),
    expectStatus(await quote(platform, asked), 201),
  ]
  const before = await balanceOf(platform, from)
  await age(901)
  const answered = expectStatus(await execute(platform, first), 200)
  assert.equal(answered.status, 'FAILED')
  assert.equal(await balanceOf(platform, from), before)
  const failed = await readTransaction(platform, first.transactionId)
  assert.deepEqual(
    [failed.status, failed.failureReason, failed.refund],
    ['FAILED', 'QUOTE_RATE_UNAVAILABLE', undefined],
  )
  assert.deepEqual(await eventTypesOf(platform, first.transactionId), [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.FAILED',
  ])
  expectError(await execute(platform, first), 409, 'CONFLICT')

  await age(890)
  assert.equal(expectStatus(await execute(platform, second), 200).status, 'PROCESSING')
  assert.equal(await balanceOf(platform, from), before - 10_000)
})

test('RATE-11 QUOTE-19 funds that meet no rate are given back', async () => {
  await setPrices()
  const body = {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 5000,
  }
  const created = expectStatus(await platform.api.post('/quotes', body), 201)
  const info = items(created.paymentInstructions)[0]?.accountOrWalletInfo
  await age(901)
  await receive(5000, text(info?.reference))
  await eventually(async () => {
    const failed = await readTransaction(platform, created.transactionId)
    assert.deepEqual(
      [failed.status, failed.failureReason, failed.refund?.status],
      ['FAILED', 'QUOTE_RATE_UNAVAILABLE', 'PENDING'],
    )
  })
  const done = await operate(kit, `settlements confirm ${created.transactionId}`)
  assert.equal(done['refundStatus'], 'COMPLETED')
  assert.equal((await readQuote(platform, created)).status, 'FAILED')
})
