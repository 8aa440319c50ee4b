import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus, items } from '../../../test/kit/api.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { parseId } from '../../kernel/ids.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { payee, payer, quote } from '../../../test/kit/payments.ts'
import { lookUpUma, quoteUma, sandboxUma, umaAddressOf } from '../../../test/kit/uma.ts'

/** Real time stands still; only the tests move the platform's clock. */
const startedAt = new Date()
const kit = await startOwnKit({}, { clock: { now: () => startedAt } })
const platform = await kit.platform()
const paying = await payer(platform)
const { account: from, customerId } = paying

const lookUp = async (local: string, query: Record<string, string> = { customerId }) =>
  expectStatus(await lookUpUma(platform, sandboxUma(local), query), 200)

test('UMA-3 a look-up answers currencies, limits and the estimated rate in the receiver’s direction', async () => {
  const found = await lookUp('success.eur')
  assert.equal(found.receiverUmaAddress, sandboxUma('success.eur'))
  assert.match(found.lookupId, /^Lookup:/)
  const [currency, ...more] = found.supportedCurrencies
  assert.deepEqual(more, [])
  assert.equal(currency?.currency.code, 'EUR')
  assert.equal(currency.estimatedExchangeRate, 0.92)
  assert.equal(currency.min, 1)
  assert.equal(currency.max, 92_000_000)
  assert.deepEqual(found.requiredPayerDataFields, [])
})

test('UMA-1 an address is compared in lower case, and a %24 in the path is $', async () => {
  const path = `/receiver/uma/%24Success.EUR@Sandbox.UMA.test` as const
  const found = expectStatus(await platform.api.get(path), 200)
  assert.equal(found.receiverUmaAddress, sandboxUma('success.eur'))
  for (const malformed of ['bob', '$bob', 'bob@sandbox.uma.test', '$b ob@sandbox.uma.test']) {
    expectError(await lookUpUma(platform, malformed), 400, 'INVALID_UMA_ADDRESS')
  }
})

test('UMA-3 the sender’s first currency decides the direction; without a sender the platform’s', async () => {
  const currencies = ['EUR', 'USD']
  const european = (await createCustomer(platform, { currencies })).id
  const found = await lookUp('success.usd', { customerId: european })
  const rate = found.supportedCurrencies[0]?.estimatedExchangeRate
  assert.equal(rate, 1.086956522)
  const ofPlatform = await lookUp('success.mxn', {})
  assert.equal(ofPlatform.supportedCurrencies[0]?.estimatedExchangeRate, 17.25)
})

test('UMA-3 required payer data are the fields that the sender’s record lacks', async () => {
  const lacking = await lookUp('needs.payerdata.usd', {})
  assert.deepEqual(lacking.requiredPayerDataFields, [
    { name: 'FULL_NAME', mandatory: true },
    { name: 'BIRTH_DATE', mandatory: true },
  ])
  const fullName = 'Ann Able'
  const named = (await createCustomer(platform, { fullName })).id
  const some = await lookUp('needs.payerdata.usd', { customerId: named })
  const names = items(some.requiredPayerDataFields).map(({ name }) => name)
  assert.ok(!names.includes('FULL_NAME'))
})

test('UMA-3 the sender is named by customer or address, and must exist', async () => {
  const senderUmaAddress = await umaAddressOf(platform, customerId)
  await lookUp('success.usd', { senderUmaAddress })
  await lookUp('success.usd', { senderUmaAddress, customerId })
  const at = (query: Record<string, string>) =>
    lookUpUma(platform, sandboxUma('success.usd'), query)
  const other = await payer(platform, { funded: 0 })
  expectFields(await at({ senderUmaAddress, customerId: other.customerId }), ['customerId'])
  expectError(await at({ senderUmaAddress: 'bob' }), 400, 'INVALID_UMA_ADDRESS')
  expectError(await at({ senderUmaAddress: '$bob@nowhere.test' }), 404, 'USER_NOT_FOUND')
  const stranger = await kit.platform()
  const foreign = await lookUpUma(stranger, sandboxUma('success.usd'), { customerId })
  expectError(foreign, 404, 'USER_NOT_FOUND')
})

/** The refusals of a look-up, and of a quote without one (UMA-2, UMA-7, UMA-8). */
const REFUSED = [
  ['$nobody@sandbox.uma.test', 404, 'UMA_NOT_FOUND'],
  ['$fail.version.usd@sandbox.uma.test', 412, 'UNSUPPORTED_UMA_VERSION'],
  ['$fail.lnurlp.usd@sandbox.uma.test', 424, 'LNURLP_REQUEST_FAILED'],
  ['$fail.pubkey.usd@sandbox.uma.test', 424, 'COUNTERPARTY_PUBKEY_FETCH_ERROR'],
  ['$success.usd@blocked.sandbox.uma.test', 403, 'COUNTERPARTY_NOT_ALLOWED'],
  ['$success.usd@latam.sandbox.uma.test', 404, 'UMA_NOT_FOUND'],
  ['$bob@vasp.example', 424, 'LNURLP_REQUEST_FAILED'],
] as const

for (const [address, status, code] of REFUSED) {
  test(`UMA-2 UMA-4 UMA-7 UMA-8 ${address} is refused with ${code}, by a look-up and by a quote`, async () => {
    expectError(await lookUpUma(platform, address), status, code)
    expectError(await quoteUma(platform, { from, to: address }), status, code)
  })
}

test('UMA-12 UMA-7 a provider that the operator takes off the allow list is not paid any more', async () => {
  const domain = 'latam.sandbox.uma.test'
  expectError(await lookUpUma(platform, `$a@${domain}`), 404, 'UMA_NOT_FOUND')
  const set = (allowed: boolean) =>
    kit.florin.deps.db.read.run(
      sql`update uma_providers set allow_list_status = ${allowed}
          where domain = 'latam.{sandbox_uma_domain}'`,
    )
  await set(false)
  expectError(await lookUpUma(platform, `$a@${domain}`), 403, 'COUNTERPARTY_NOT_ALLOWED')
  await set(true)
  expectError(await lookUpUma(platform, `$a@${domain}`), 404, 'UMA_NOT_FOUND')
})

test('UMA-2 UMA-10 a customer of this installation is found by its address, on whichever platform', async () => {
  const other = await kit.platform({ currencies: ['EUR', 'USD'] })
  const currencies = ['USD', 'EUR']
  const receiver = (await createCustomer(other, { currencies })).id
  const address = await umaAddressOf(other, receiver)
  const found = expectStatus(await lookUpUma(platform, address, { customerId }), 200)
  const codes = found.supportedCurrencies.map(({ currency }) => currency.code)
  assert.deepEqual(codes, ['USD', 'EUR'], 'in the receiver’s order')
  const [, domain = ''] = address.split('@')
  expectError(await lookUpUma(platform, `$nobody@${domain}`), 404, 'UMA_NOT_FOUND')
  expectStatus(await other.api.delete(`/customers/${receiver}`), 200)
  expectError(await lookUpUma(platform, address), 404, 'UMA_NOT_FOUND')
})

test('UMA-10 a currency with neither an account nor a default deposit account is not offered', async () => {
  const receiver = await payer(platform, { funded: 0 })
  const to = await umaAddressOf(platform, receiver.customerId)
  const offered = async () => {
    const found = expectStatus(await lookUpUma(platform, to, { customerId }), 200)
    return found.supportedCurrencies.map(({ currency }) => currency.code)
  }
  assert.ok(!(await offered()).includes('GBP' as never))
  expectError(await quoteUma(platform, { from, to, currency: 'GBP' }), 400, 'INVALID_CURRENCY')
  const more = { defaultUmaDepositAccount: true }
  await payee(platform, 'GBP_ACCOUNT', { customerId: receiver.customerId, more })
  assert.ok((await offered()).includes('GBP' as never))
})

test('UMA-3 an external account is looked up in the same shape, with its one currency', async () => {
  const accountId = await payee(platform, 'EUR_ACCOUNT')
  const path = `/receiver/external-account/${accountId}` as const
  const found = expectStatus(await platform.api.get(path, { query: { customerId } }), 200)
  assert.equal(found.accountId, accountId)
  const [only, ...more] = found.supportedCurrencies
  assert.deepEqual(more, [])
  assert.equal(only?.currency.code, 'EUR')
  assert.equal(only.estimatedExchangeRate, 0.92)
  const lookupId = found.lookupId
  expectStatus(await quote(platform, { from, to: accountId, amount: 1_000, lookupId }), 201)
  const other = await payee(platform, 'EUR_ACCOUNT')
  const elsewhere = await quote(platform, { from, to: other, amount: 1_000, lookupId })
  expectError(elsewhere, 400, 'INVALID_RECEIVER')
  const stranger = await kit.platform()
  expectError(await stranger.api.get(path), 404, 'REFERENCE_NOT_FOUND')
})

test('UMA-4 a look-up is valid for 600 s, any number of times, for its receiver and its platform only', async () => {
  const { lookupId } = await lookUp('success.eur')
  const to = 'success.eur'
  expectStatus(await quoteUma(platform, { from, to, lookupId }), 201)
  expectStatus(await quoteUma(platform, { from, to, lookupId }), 201)
  const another = await quoteUma(platform, { from, to: 'success.usd', lookupId })
  expectError(another, 400, 'INVALID_RECEIVER')
  const unknown = 'Lookup:0199e7a5-0000-7000-8000-000000000001'
  const none = await quoteUma(platform, { from, to, lookupId: unknown })
  expectError(none, 404, 'LOOKUP_REQUEST_NOT_FOUND')
  const stranger = await payer(await kit.platform())
  const foreign = await quoteUma(stranger.platform, { from: stranger.account, to, lookupId })
  expectError(foreign, 404, 'LOOKUP_REQUEST_NOT_FOUND')
  await advance(platform, 580)
  expectStatus(await quoteUma(platform, { from, to, lookupId }), 201)
  await advance(platform, 20)
  const late = await quoteUma(platform, { from, to, lookupId })
  expectError(late, 404, 'LOOKUP_REQUEST_NOT_FOUND')
  await lookUp('success.eur')
  const id = parseId('lookup', lookupId)
  const left = await kit.florin.deps.db.read.many(sql`select 1 from lookups where id = ${id}`)
  assert.deepEqual(left, [], 'the next look-up clears it away')
})
