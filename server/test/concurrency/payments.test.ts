import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, expectError, expectStatus, text, type Answer } from '../kit/api.ts'
import { MANY_CONNECTIONS, startOwnKit } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import {
  balanceOf,
  eventTypesOf,
  execute,
  payee,
  payer,
  quote,
  quoteBody,
  readQuote,
  readTransaction,
} from '../kit/payments.ts'
import { newUuid } from '../../src/kernel/ids.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)
/** Another process on the same database: no lock of one process helps. */
const elsewhere = await kit.neighbour()

const times = <P extends Promise<unknown>>(count: number, make: (index: number) => P) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const accepted = <A extends Answer>(answers: readonly A[]) =>
  answers.filter(({ status }) => status < 300)
const refused = <A extends Answer>(answers: readonly A[]) =>
  answers.filter(({ status }) => status >= 300)

async function start(funded = 100_000) {
  const paying = await payer(await kit.platform(), { funded })
  const { platform } = paying
  return { ...paying, far: { ...platform, api: client(elsewhere, platform) } }
}

test('QUOTE-14 of racing executes of one quote, in two processes, one moves the money', async () => {
  const { platform, far, account: from } = await start()
  const to = await payee(platform, 'EUR_ACCOUNT')
  const quoted = expectStatus(await quote(platform, { from, to, amount: 1000 }), 201)
  const answers = await times(20, (index) => execute(index % 2 ? far : platform, quoted))
  assert.equal(accepted(answers).length, 1)
  for (const answer of refused(answers)) expectError(answer, 409, 'CONFLICT')
  assert.equal(await balanceOf(platform, from), 99_000)
  assert.equal((await eventTypesOf(platform, quoted.transactionId)).length, 3)
})

test('QUOTE-15 of racing executes on one account as many succeed as it covers', async () => {
  const { platform, far, account: from } = await start(10_000)
  const to = await payee(platform, 'EUR_ACCOUNT')
  const quotes = await times(50, async () =>
    expectStatus(await quote(platform, { from, to, amount: 300 }), 201),
  )
  const answers = await Promise.all(
    quotes.map((quoted, index) => execute(index % 2 ? far : platform, quoted)),
  )
  assert.equal(accepted(answers).length, 33)
  for (const answer of refused(answers)) expectError(answer, 400, 'INSUFFICIENT_BALANCE')
  assert.equal(await balanceOf(platform, from), 100)
})

test('QUOTE-15 immediate quotes, executes and transfers share one account to the last unit', async () => {
  const { platform, far, account: from } = await start(10_000)
  const [eur, usd] = [await payee(platform, 'EUR_ACCOUNT'), await payee(platform, 'USD_ACCOUNT')]
  const quotes = await times(20, async () =>
    expectStatus(await quote(platform, { from, to: eur, amount: 250 }), 201),
  )
  const answers = await Promise.all([
    ...quotes.map((quoted) => execute(far, quoted)),
    ...Array.from({ length: 20 }, () =>
      quote(platform, { from, to: eur, amount: 250, immediatelyExecute: true }),
    ),
    ...Array.from({ length: 20 }, () =>
      far.api.post('/transfer-out', {
        source: { accountId: from },
        destination: { accountId: usd },
        amount: 250,
      }),
    ),
  ])
  assert.equal(accepted(answers).length, 40)
  for (const answer of refused(answers)) expectError(answer, 400, 'INSUFFICIENT_BALANCE')
  assert.equal(await balanceOf(platform, from), 0)
})

test('QUOTE-14 execute against expiry: one of the two happens', async () => {
  const { platform, far, account: from } = await start()
  const to = await payee(platform, 'EUR_ACCOUNT')
  const quotes = await times(10, async () =>
    expectStatus(await quote(platform, { from, to, amount: 1000 }), 201),
  )
  const [, ...answers] = await Promise.all([
    platform.api.post('/sandbox/clock', { advanceSeconds: 300 }),
    ...quotes.map((quoted, index) => execute(index % 2 ? far : platform, quoted)),
  ])
  const done = accepted(answers).length
  for (const answer of refused(answers)) expectError(answer, 409, 'QUOTE_EXPIRED')
  assert.equal(await balanceOf(platform, from), 100_000 - done * 1000)
  for (const [index, quoted] of quotes.entries()) {
    const isDone = (answers[index] as Answer).status === 200
    assert.equal((await readQuote(platform, quoted)).status, isDone ? 'COMPLETED' : 'EXPIRED')
    const emitted = await eventTypesOf(platform, quoted.transactionId)
    assert.equal(emitted.includes('OUTGOING_PAYMENT.EXPIRED'), !isDone)
  }
})

test('TXN-15 cancel against settlement: one of the two happens', async () => {
  const { platform, far, account: from } = await start()
  const to = await payee(platform, 'USD_ACCOUNT', { suffix: '003' })
  const made = await times(8, async () => {
    const answer = await quote(platform, { from, to, amount: 1000, immediatelyExecute: true })
    return expectStatus(answer, 201).transactionId
  })
  const [, ...answers] = await Promise.all([
    platform.api.post('/sandbox/clock', { advanceSeconds: 360 }),
    ...made.flatMap((id) => [
      platform.api.post(`/transactions/${id}/cancel`),
      far.api.post(`/transactions/${id}/cancel`),
    ]),
  ])
  for (const answer of refused(answers)) expectError(answer, 409, 'TRANSACTION_NOT_CANCELLABLE')
  const cancelled = accepted(answers).length
  const outcomes = await Promise.all(made.map((id) => readTransaction(platform, id)))
  const completed = outcomes.filter(({ status }) => status === 'COMPLETED').length
  assert.equal(cancelled + completed, made.length)
  assert.equal(await balanceOf(platform, from), 100_000 - completed * 1000)
})

test('CORE-42 racing immediate quotes under one key make one payment', async () => {
  const { platform, far, account: from } = await start()
  const to = await payee(platform, 'EUR_ACCOUNT')
  const headers = { 'Idempotency-Key': newUuid() }
  const body = quoteBody({ from, to, amount: 1000, immediatelyExecute: true })
  const answers = await times(20, (index) =>
    (index % 2 ? far : platform).api.post('/quotes', body, { headers }),
  )
  const ids = new Set(accepted(answers).map((answer) => text(answer.body.id)))
  assert.equal(ids.size, 1)
  for (const answer of refused(answers)) expectError(answer, 409, 'IDEMPOTENCY_KEY_IN_USE')
  assert.equal(await balanceOf(platform, from), 99_000)
  const query = { type: 'OUTGOING' }
  const list = expectStatus(await platform.api.get('/transactions', { query }), 200)
  assert.equal(list.data.length, 1)
})

test('LIM-4 racing payments never pass the day’s volume together', async () => {
  const { platform, far, account: from } = await start()
  const limits = '--currency USD --daily-volume 10000'
  await operate(kit, `limits set --platform ${platform.platformId} ${limits}`)
  const [eur, usd] = [await payee(platform, 'EUR_ACCOUNT'), await payee(platform, 'USD_ACCOUNT')]
  const answers = await times(40, (index) => {
    const side = index % 2 ? far : platform
    if (index % 4 < 2) return quote(side, { from, to: eur, amount: 700, immediatelyExecute: true })
    return side.api.post('/transfer-out', {
      source: { accountId: from },
      destination: { accountId: usd },
      amount: 700,
    })
  })
  assert.equal(accepted(answers).length, 14)
  for (const answer of refused(answers)) {
    expectError(answer, 429, 'DAILY_VOLUME_LIMIT_EXCEEDED')
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
  }
  assert.equal(await balanceOf(platform, from), 100_000 - 14 * 700)
})

test('FEE-5 payments back and forth between two accounts with fees deadlock nobody', async () => {
  const { platform, far, customerId, account: usd } = await start(1_000_000)
  const query = { customerId, currency: 'EUR' }
  const accounts = await platform.api.get('/customers/internal-accounts', { query })
  const eur = text(expectStatus(accounts, 200).data[0]?.id)
  expectStatus(
    await platform.api.post(`/sandbox/internal-accounts/${eur}/fund`, { amount: 1_000_000 }),
    200,
  )
  const before = kit.florin.deps.db.retries()
  const answers = await times(60, (index) => {
    const [from, to] = index % 2 ? [usd, eur] : [eur, usd]
    const side = index % 3 ? far : platform
    return quote(side, { from, to, amount: 1000, immediatelyExecute: true })
  })
  for (const answer of answers) expectStatus(answer, 201)
  const back = answers
    .filter((_, index) => index % 2 === 0)
    .map(({ body }) => Number(body.totalReceivingAmount))
  const received = back.reduce((sum, amount) => sum + amount, 0)
  assert.equal(await balanceOf(platform, usd), 1_000_000 - 30_000 + received)
  assert.equal(kit.florin.deps.db.retries(), before, 'no transaction was retried')
})
