/** What is sent again, what is not, and that nothing happens twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startKit } from '../../server/test/kit/florin.ts'
import { createFlorin, FlorinConnectionError, FlorinError } from '../src/index.ts'
import { startUnrulyProxy } from './unruly-proxy.ts'

const kit = await startKit()
const proxy = await startUnrulyProxy(kit.baseUrl)
const { clientId, clientSecret } = await kit.platform()
const florin = createFlorin({ baseUrl: proxy.baseUrl, clientId, clientSecret })

const keysSeen = (): unknown[] => proxy.seen.map(({ headers }) => headers['idempotency-key'])

const [account] = await florin.platform.internalAccounts.list({ currency: 'USD' }).toArray()
assert.ok(account)
await florin.sandbox.fund(account.id, { amount: 1_000_000 })
const { id: payee } = await florin.platform.externalAccounts.create({
  currency: 'USDC',
  accountInfo: {
    accountType: 'SOLANA_WALLET',
    address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  },
})
const payment = {
  source: { sourceType: 'ACCOUNT', accountId: account.id },
  destination: { destinationType: 'ACCOUNT', accountId: payee },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 10_000,
  immediatelyExecute: true,
} as const

const balance = async (): Promise<number> => {
  const { data } = await florin.platform.internalAccounts.list({ currency: 'USD' })
  return data[0]?.balance.amount ?? 0
}

test('CORE-40 a payment whose answer is lost twice happens once, and its answer arrives', async () => {
  const before = await balance()
  proxy.play('LOSE_ANSWER', 'LOSE_ANSWER')
  const quote = await florin.quotes.create(payment)
  assert.equal(proxy.seen.length, 3)
  assert.equal(new Set(keysSeen()).size, 1, 'one key for all attempts')
  assert.match(String(keysSeen()[0]), /^[0-9a-f-]{36}$/)
  assert.equal((await florin.quotes.get(quote.id)).totalSendingAmount, 10_000)
  assert.equal(await balance(), before - 10_000)
})

test('a key of the caller’s own reaches across calls', async () => {
  const before = await balance()
  const options = { idempotencyKey: 'payout-4711' }
  proxy.play()
  const first = await florin.quotes.create(payment, options)
  const again = await florin.quotes.create(payment, options)
  assert.equal(again.id, first.id)
  assert.deepEqual(keysSeen(), ['payout-4711', 'payout-4711'])
  assert.equal(await balance(), before - 10_000)
})

test('when no answer comes at all the error names the key to ask again with', async () => {
  const before = await balance()
  proxy.play(...Array.from({ length: 4 }, () => 'LOSE_ANSWER' as const))
  const error: unknown = await florin.quotes.create(payment).catch((reason: unknown) => reason)
  assert.ok(error instanceof FlorinConnectionError)
  assert.equal(error.attempts, 4)
  assert.equal(error.isTimeout, false)
  const { idempotencyKey } = error
  assert.ok(idempotencyKey)
  const quote = await florin.quotes.create(payment, { idempotencyKey })
  assert.ok(quote.transactionId)
  assert.equal(await balance(), before - 10_000)
})

test('an attempt that hangs is given up and made again', async () => {
  proxy.play('HANG')
  assert.ok((await florin.config.get({ timeoutMs: 500 })).id)
  assert.equal(proxy.seen.length, 2)
})

test('ERR-8 429 and 503 are sent again after Retry-After, and not before', async () => {
  const busy = { status: 503, headers: { 'retry-after': '1' }, body: '' }
  const limited = { ...busy, status: 429 }
  proxy.play(busy, limited)
  const startedAt = performance.now()
  await florin.config.get()
  assert.ok(performance.now() - startedAt >= 2_000)
  assert.equal(proxy.seen.length, 3)
})

test('a wait of more than a minute is left to the caller', async () => {
  const body = JSON.stringify({ status: 429, code: 'RATE_LIMITED', message: 'later' })
  proxy.play({ status: 429, headers: { 'retry-after': '3600' }, body })
  await assert.rejects(florin.config.get(), (error) => {
    assert.ok(error instanceof FlorinError)
    assert.equal(error.retryAfterSeconds, 3_600)
    assert.equal(error.retryable, true)
    return true
  })
  assert.equal(proxy.seen.length, 1)
})

test('CORE-44 a key that is in use is tried again', async () => {
  const body = JSON.stringify({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE', message: 'wait' })
  proxy.play({ status: 409, body })
  assert.ok((await florin.customers.create({ customerType: 'INDIVIDUAL' })).id)
  assert.equal(proxy.seen.length, 2)
})

const NEVER_AGAIN = [
  { status: 500, code: 'INTERNAL_ERROR' },
  { status: 503, code: 'SERVICE_UNAVAILABLE' },
  { status: 429, code: 'DAILY_VOLUME_LIMIT_EXCEEDED' },
  { status: 424, code: 'LNURLP_REQUEST_FAILED' },
  { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' },
  { status: 400, code: 'INSUFFICIENT_BALANCE' },
]

for (const { status, code } of NEVER_AGAIN) {
  test(`${status} ${code} without Retry-After is not sent again`, async () => {
    proxy.play({ status, body: JSON.stringify({ status, code, message: 'no' }) })
    await assert.rejects(florin.quotes.create(payment), { status, code })
    assert.equal(proxy.seen.length, 1)
  })
}

test('what takes no key and is no reading is not sent again', async () => {
  proxy.play('REFUSE')
  await assert.rejects(florin.cards.reveal('Card:1'), (error) => {
    assert.ok(error instanceof FlorinConnectionError)
    assert.equal(error.attempts, 1)
    assert.equal(error.host, new URL(proxy.baseUrl).host)
    assert.ok(error.message.startsWith(`the connection to ${error.host} failed (`), error.message)
    return true
  })
})

test('TOK-3 what is shown once is not sent again where it may have been done, and the caller is told', async () => {
  const asked = { name: 'lost', permissions: ['VIEW' as const] }
  proxy.play('LOSE_ANSWER')
  const error: unknown = await florin.tokens.create(asked).catch((reason: unknown) => reason)
  assert.ok(error instanceof FlorinConnectionError)
  assert.equal(error.attempts, 1)
  const again = await florin.tokens.create(asked, { idempotencyKey: String(error.idempotencyKey) })
  assert.equal(again.clientSecret, undefined, 'it can be found, and deleted')
  await florin.tokens.delete(again.id)
  const refusing = (status: number, code: string) => {
    const body = JSON.stringify({ status, code, message: 'later' })
    return { status, headers: { 'retry-after': '1' }, body }
  }
  proxy.play(refusing(503, 'SERVICE_UNAVAILABLE'))
  await assert.rejects(florin.tokens.create(asked), { status: 503, code: 'SERVICE_UNAVAILABLE' })
  assert.equal(proxy.seen.length, 1, 'it may have been done')
  proxy.play(refusing(429, 'RATE_LIMITED'))
  assert.ok((await florin.tokens.create({ ...asked, name: 'late' })).clientSecret)
  assert.equal(proxy.seen.length, 2, 'what was refused may be repeated')
})

test('retries can be turned off', async () => {
  const once = createFlorin({ baseUrl: proxy.baseUrl, clientId, clientSecret, retries: 0 })
  proxy.play('REFUSE')
  await assert.rejects(once.config.get(), FlorinConnectionError)
  assert.equal(proxy.seen.length, 1)
})

test('an abort also ends the wait for the next attempt', async () => {
  proxy.play({ status: 503, headers: { 'retry-after': '30' }, body: '' })
  const signal = AbortSignal.timeout(200)
  await assert.rejects(florin.config.get({ signal }), { name: 'TimeoutError' })
})

test('a form is sent again whole', async () => {
  proxy.play('LOSE_ANSWER')
  const file = 'customerType,fullName\nINDIVIDUAL,Ana Example\n'
  const job = await florin.customers.bulk.uploadCsv({ file })
  assert.ok(job.jobId)
  assert.equal(proxy.seen.length, 2)
})
