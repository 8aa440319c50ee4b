import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, type Body } from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { startKit, WITH_BITCOIN, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  execute,
  payee,
  payer,
  platformAccount,
  quote,
} from '../../../../test/kit/payments.ts'

const kit = await startKit()

const limit = ({ platformId }: TestPlatform, options: string) =>
  operate(kit, `limits set --platform ${platformId} ${options}`)

test('LIM-1 by default one transaction is worth a million dollars at most', async () => {
  const { platform, account: from } = await payer(await kit.platform(WITH_BITCOIN))
  const to = await payee(platform, 'EUR_ACCOUNT')
  expectStatus(await quote(platform, { from, to, amount: 100_000_000 }), 201)
  const answer = await quote(platform, { from, to, amount: 100_000_001 })
  const details = expectError(answer, 400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED')
  assert.deepEqual(details, { limit: 100_000_000, currency: 'USD' } as unknown as Body)
  const btc = await platformAccount(platform, 'BTC')
  expectStatus(await quote(platform, { from: btc, to, amount: 800_000_000 }), 201)
  const tooBig = await quote(platform, { from: btc, to, amount: 800_000_001 })
  expectError(tooBig, 400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED')
})

test('LIM-1 LIM-2 a corridor’s limit narrows the currency’s, the platform’s range comes after both', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const [eur, mxn] = [await payee(platform, 'EUR_ACCOUNT'), await payee(platform, 'MXN_ACCOUNT')]
  const set = await limit(platform, '--currency USD --max-transaction 5000')
  assert.deepEqual([set['currency'], set['maxTransaction']], ['USD', 5000])
  await limit(platform, '--currency USD --to EUR --max-transaction 3000')
  expectError(
    await quote(platform, { from, to: eur, amount: 3001 }),
    400,
    'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  )
  expectStatus(await quote(platform, { from, to: mxn, amount: 3001 }), 201)
  const supportedCurrencies = [
    {
      currencyCode: 'USD',
      minAmount: 100,
      maxAmount: 200,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ['OUTGOING', 'INCOMING'],
    },
  ]
  expectStatus(await platform.api.patch('/config', { supportedCurrencies }), 200)
  for (const amount of [99, 201]) {
    const answer = await quote(platform, { from, to: mxn, amount })
    const details = expectError(answer, 400, 'AMOUNT_OUT_OF_RANGE')
    assert.deepEqual(details, { minimum: 100, maximum: 200, currency: 'USD' } as unknown as Body)
  }
  expectStatus(await quote(platform, { from, to: mxn, amount: 200 }), 201)
  expectError(
    await quote(platform, { from, to: mxn, amount: 5001 }),
    400,
    'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  )
})

test('LIM-3 the day is checked at execution, before the balance, and by corridor where one is set', async () => {
  const { platform, account: from } = await payer(await kit.platform(), { funded: 2000 })
  const [eur, mxn] = [await payee(platform, 'EUR_ACCOUNT'), await payee(platform, 'MXN_ACCOUNT')]
  await limit(platform, '--currency USD --daily-volume 5000')
  await limit(platform, '--currency USD --to EUR --daily-volume 1500')
  const made = async (to: string, amount: number) =>
    expectStatus(await quote(platform, { from, to, amount }), 201)
  const [first, second, third] = [
    await made(eur, 1000),
    await made(eur, 1000),
    await made(mxn, 1000),
  ]
  expectStatus(await execute(platform, first), 200)
  const details = expectError(await execute(platform, second), 429, 'DAILY_VOLUME_LIMIT_EXCEEDED')
  assert.deepEqual(details, { limit: 1500, currency: 'USD' } as unknown as Body)
  expectStatus(await execute(platform, third), 200)
  const big = await made(mxn, 4000)
  expectError(await execute(platform, big), 429, 'DAILY_VOLUME_LIMIT_EXCEEDED')
  const poor = await made(mxn, 1000)
  expectError(await execute(platform, poor), 400, 'INSUFFICIENT_BALANCE')
  const immediate = { from, to: mxn, amount: 4000, immediatelyExecute: true }
  expectError(await quote(platform, immediate), 429, 'DAILY_VOLUME_LIMIT_EXCEEDED')
})

test('LIM-4 what is refunded on its day no longer counts', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  await limit(platform, '--currency USD --daily-volume 1000')
  const pay = async (suffix: string) => {
    const to = await payee(platform, 'EUR_ACCOUNT', { suffix })
    return quote(platform, { from, to, amount: 1000, immediatelyExecute: true })
  }
  expectStatus(await pay('002'), 201)
  expectStatus(await pay('005'), 201)
  expectError(await pay('000'), 429, 'DAILY_VOLUME_LIMIT_EXCEEDED')
  await advance(platform, 30)
  expectStatus(await pay('000'), 201)
  expectError(await pay('000'), 429, 'DAILY_VOLUME_LIMIT_EXCEEDED')
})

test('LIM-4 a refund of another day gives that day nothing back', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  await limit(platform, '--currency USD --daily-volume 1000')
  const clock = expectStatus(await platform.api.get('/sandbox/clock'), 200)
  const now = Date.parse(clock.now)
  const midnight = Math.ceil(now / 86_400_000) * 86_400_000
  await advance(platform, Math.max(1, Math.floor((midnight - now) / 1000) - 10))
  const late = await payee(platform, 'EUR_ACCOUNT', { suffix: '005' })
  expectStatus(
    await quote(platform, { from, to: late, amount: 1000, immediatelyExecute: true }),
    201,
  )
  await advance(platform, 15)
  const to = await payee(platform, 'EUR_ACCOUNT')
  const again = { from, to, amount: 1000, immediatelyExecute: true }
  expectStatus(await quote(platform, again), 201)
  await advance(platform, 30)
  assert.equal(await balanceOf(platform, from), 99_000)
  expectError(await quote(platform, again), 429, 'DAILY_VOLUME_LIMIT_EXCEEDED')
})

test('QUOTE-11 limits, the platform’s range and its enabled types bind new quotes only', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const to = await payee(platform, 'EUR_ACCOUNT')
  const kept = expectStatus(await quote(platform, { from, to, amount: 1000 }), 201)
  await limit(platform, '--currency USD --max-transaction 500')
  const narrowed = {
    currencyCode: 'USD',
    minAmount: 1,
    maxAmount: 100,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['INCOMING'],
  }
  const supportedCurrencies = [narrowed]
  expectStatus(await platform.api.patch('/config', { supportedCurrencies }), 200)
  expectError(await quote(platform, { from, to, amount: 10 }), 400, 'INVALID_CURRENCY')
  expectStatus(await execute(platform, kept), 200)
  assert.equal(await balanceOf(platform, from), 99_000)
})
