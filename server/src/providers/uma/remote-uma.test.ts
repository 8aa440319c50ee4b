import assert from 'node:assert/strict'
import { randomBytes, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { bech32 } from '@scure/base'
import { connectAgent } from '../../../test/kit/setups/agents.ts'
import { expectError, expectStatus, items, text } from '../../../test/kit/api.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { asOperator } from '../../../test/kit/accounts/external-accounts.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { balanceOf, execute, platformAccount, readTransaction } from '../../../test/kit/payments.ts'
import { scriptedProvider } from '../../../test/kit/outside/scripted-provider.ts'
import { openProductionAccount } from '../../../test/kit/setups/production.ts'
import { selfSignedCertificate } from '../../../test/kit/outside/self-signed-certificate.ts'
import { lookUpUma, quoteUma } from '../../../test/kit/uma.ts'
import {
  dollars,
  mappedOutgoing,
  ok,
  signedAt,
  startCounterparty,
  VASP_DOMAIN,
  type Misbehaviour,
} from '../../../test/kit/outside/uma-counterparty.ts'
import { handOverJob } from '../../features/payments/index.ts'
import { dropJobs } from '../../infra/jobs/drop-jobs.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import { addMs, HOUR_MS } from '../../kernel/clock.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { fetchCounterpartyKeys } from './counterparty-keys.ts'

/** A number in words of BOLT 11, the highest first. */
const wordsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => Math.floor(value / 32 ** (length - 1 - index)) % 32)

/** BOLT 11 by hand: an amount, a hash of nothing, an expiry, and no signature that anybody looks at. */
function invoiceOf(millisats: number, { at = Date.now(), lifetimeSeconds = 3_600 } = {}): string {
  const hash = [1, 1, 20, ...bech32.toWords(randomBytes(32))]
  const expiry = [6, 0, 4, ...wordsOf(lifetimeSeconds, 4)]
  const words = [...wordsOf(Math.floor(at / 1_000), 7), ...hash, ...expiry]
  const signed = [...words, ...Array<number>(104).fill(0)]
  return bech32.encode(`lnbc${BigInt(Math.round(millisats)) * 10n}p`, signed, false)
}

/** A provider that answers with this invoice, whatever it was asked for. */
const answering = (invoice: () => string): Misbehaviour => ({
  pay: ({ body }) => ok({ ...(JSON.parse(body) as object), pr: invoice() }),
})

const certificate = new X509Certificate(selfSignedCertificate(['vasp']).certificatePem)
const stranger = new X509Certificate(selfSignedCertificate(['other']).certificatePem)
const chainOf = (...chain: readonly X509Certificate[]) => {
  const hex = chain.map(({ raw }) => raw.toString('hex'))
  return ok({ signingCertChain: hex, encryptionCertChain: hex })
}

const forger = randomBytes(32)
const [shared, sold] = [invoiceOf(8_000), invoiceOf(8_000)]
let repeated: string | undefined

const BEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  $gone: { lnurlp: () => ok({}, 404) },
  $down: { lnurlp: () => ok('oops', 500) },
  $garbled: { lnurlp: () => ok('not json') },
  $plain: {
    lnurlp: ({ callback, minSendable, maxSendable, metadata }) =>
      ok({ tag: 'payRequest', callback, minSendable, maxSendable, metadata }),
  },
  $elsewhere: { lnurlp: () => ok({ supportedMajorVersions: [99] }, 412) },
  $old: {
    lnurlp: (answer, url) =>
      url.searchParams.get('umaVersion') === '0.3'
        ? ok(answer.toJsonString())
        : ok({ supportedMajorVersions: [0] }, 412),
  },
  $future: { lnurlp: (answer) => ok({ ...answer.toJsonSchemaObject(), umaVersion: '99.0' }) },
  $forged: { signingKey: forger },
  $late: {
    signingKey: forger,
    lnurlp: async (answer) => ok(await signedAt(answer, 1_000_000_000, forger)),
  },
  $repeating: { lnurlp: (answer) => ok((repeated ??= answer.toJsonString())) },
  $curious: { payerData: { shoeSize: { mandatory: true } } },
  $polite: { payerData: { name: { mandatory: true }, shoeSize: { mandatory: false } } },
  $taxing: { payerData: { taxId: { mandatory: true }, ID_NUMBER: { mandatory: false } } },
  $nopay: { pay: () => ok('oops', 500) },
  $junkpay: { pay: () => ok('not json') },
  $picky: { pay: () => ok({ status: 'ERROR', code: 'SENDER_NOT_ACCEPTED', reason: 'no' }, 400) },
  $other: { pay: ({ body }) => ok(body.replace('"currencyCode":"USD"', '"currencyCode":"EUR"')) },
  $greedy: {
    pay: ({ body }) => ok({ ...(JSON.parse(body) as object), pr: invoiceOf(999_999_999_000) }),
  },
  $expired: answering(() => invoiceOf(8_000, { at: Date.now() - 3_600_000 })),
  $brief: answering(() => invoiceOf(8_000, { lifetimeSeconds: 60 })),
  $thrifty: answering(() => shared),
  $frugal: answering(() => sold),
  $half: { pay: ({ body }) => ok(body.replace(/"amount":\d+/, '"amount":0.5')) },
  $boundless: { currencies: [dollars({ max: 2 ** 63 })] },
  $infinite: { lnurlp: (answer) => ok(answer.toJsonString().replace(/"max":\d+/, '"max":1e400')) },
  $negative: { currencies: [dollars({ multiplier: -1 })] },
  $costly: { currencies: [dollars({ multiplier: 1e30 })] },
  $gratis: { currencies: [dollars({ multiplier: 0 })] },
  $closed: { currencies: [dollars({ min: 10, max: 9 })] },
  $fine: { currencies: [dollars({ multiplier: 83.33333333, decimals: 4 })] },
  $free: { pay: ({ body }) => ok({ ...(JSON.parse(body) as object), pr: 'lnbc1whatever' }) },
}

const KEYS = {
  'nokeys.example': ok('', 500),
  'badkeys.example': ok({ signingPubKey: 'abcd', encryptionPubKey: 'abcd' }),
  'textkeys.example': ok('keys?'),
  'wrongchain.example': chainOf(certificate, stranger),
  'chain.example': chainOf(certificate),
}

let origin = ''
const senderKeys = async () => (await fetch(`${origin}/.well-known/lnurlpubkey`)).text()
const counterparty = await startCounterparty({
  senderKeys,
  behaviours: BEHAVIOURS,
  keysOf: KEYS,
  invoiceOf,
})
const kit = await startOwnKit({}, { outgoing: mappedOutgoing(counterparty.ports) })
origin = new URL(kit.baseUrl).origin
const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
const from = await openProductionAccount(kit, platform, {
  id: await platformAccount(platform, 'USD'),
  funded: 100_000n,
})
await operate(kit, 'rates set --price BTC=1/120000')

const at = (user: string, domain = VASP_DOMAIN): string => `${user}@${domain}`

test('UMA-2 UMA-3 a receiver elsewhere is looked up over the protocol, both sides signed', async () => {
  const found = expectStatus(await lookUpUma(platform, at('$bob')), 200)
  const [only, ...more] = found.supportedCurrencies
  assert.equal(only?.currency.code, 'USD')
  assert.deepEqual([only.min, only.max], [1, 1_000_000])
  assert.deepEqual(more, [], 'a currency that nobody here knows is left out')
})

test('UMA-2 RATE-1 a payment elsewhere is priced at the receiver’s own rate and settled by the operator', async () => {
  const { lookupId } = expectStatus(await lookUpUma(platform, at('$bob')), 200)
  const asked = { from, to: at('$bob'), amount: 10_000, lookupId }
  const quoted = expectStatus(await quoteUma(platform, asked), 201)
  assert.equal(quoted.totalSendingAmount, 10_000)
  assert.equal(quoted.totalReceivingAmount, 10_000, 'rounded down at the receiver’s rate')
  const [request] = counterparty.payRequests.slice(-1)
  assert.equal(request?.amount, 10_000)
  const config = expectStatus(await platform.api.get('/config'), 200)
  const own = `$${config.proxyUmaSubdomain}@${config.umaDomain}`
  assert.equal(request.payerData?.identifier, own, 'the platform pays for itself')
  expectStatus(await execute(platform, quoted), 200)
  const id = quoted.transactionId
  const waiting = await readTransaction(platform, id)
  assert.equal(waiting.status, 'PROCESSING')
  assert.match(text(waiting.reconciliationInstructions?.reference), /^lnbc/)
  const listed = async () =>
    items(await operate(kit, 'settlements list')).find((one) => text(one['transactionId']) === id)
  await eventually(async () => {
    const reference = text((await listed())?.['reference'])
    assert.match(reference, /^lnbc/, 'the operator sees what to pay')
  })
  const transactionId = mustParseId('transaction', id)
  await asOperator(kit, platform, async (work) => {
    const dueAt = addMs(work.now, HOUR_MS)
    enqueue(work, handOverJob, { transactionId }, { dueAt, key: transactionId })
  })
  assert.equal(await listed(), undefined, 'who is to pay it is not known before it is handed over')
  await assert.rejects(operate(kit, `settlements confirm ${id}`), { code: 'CONFLICT' })
  await asOperator(kit, platform, async ({ tx, platform: { id: platformId } }) =>
    dropJobs(tx, handOverJob, [{ platformId, key: transactionId }]),
  )
  await operate(kit, `settlements confirm ${id}`)
  assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  assert.equal(await balanceOf(platform, from), 90_000)
})

test('PROV-40 PROV-60 a payment elsewhere goes to the provider of rails with its invoice, and no operator acts', async () => {
  const payer = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
  const provider = await scriptedProvider(
    kit,
    `--environment PRODUCTION --platform ${payer.platformId} --ports rails`,
  )
  const account = await openProductionAccount(kit, payer, {
    id: await platformAccount(payer, 'USD'),
    funded: 100_000n,
  })
  const quoted = expectStatus(await quoteUma(payer, { from: account, to: at('$bob') }), 201)
  expectStatus(await execute(payer, quoted), 200)
  const order = await provider.orderOf(quoted.transactionId)
  assert.equal(order['type'], 'PAYOUT')
  assert.equal(order['rail'], 'LIGHTNING')
  assert.match(text(order['invoice']), /^lnbc/)
  await eventually(async () => {
    const onChainTransaction = { transactionHash: 'a'.repeat(64), network: 'LIGHTNING' }
    const settled = { state: 'SETTLED', amount: order['amount'], proofs: { onChainTransaction } }
    assert.equal((await provider.report(order, 1, settled))['result'], 'APPLIED')
  })
  assert.equal((await readTransaction(payer, quoted.transactionId)).status, 'COMPLETED')
  assert.equal(await balanceOf(payer, account), 90_000)
})

test('UMA-8 QUOTE-10 a quote holds its price no longer than the invoice can be paid', async () => {
  const asked = Date.now()
  const quoted = expectStatus(await quoteUma(platform, { from, to: at('$brief') }), 201)
  const lifeMs = new Date(quoted.expiresAt).getTime() - asked
  assert.ok(lifeMs > 50_000 && lifeMs <= 61_000, `it lives ${lifeMs} ms`)
})

test('UMA-8 an invoice is paid once, by one payer, however many quotes have it', async () => {
  const payers = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const payer = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
      const id = await platformAccount(payer, 'USD')
      const account = await openProductionAccount(kit, payer, { id, funded: 50_000n })
      const to = at('$thrifty')
      const quotes = [1, 2].map(() => quoteUma(payer, { from: account, to, amount: 1_000 }))
      return { payer, account, quotes: await Promise.all(quotes) }
    }),
  )
  const made = payers.flatMap(({ payer, quotes }) =>
    quotes.map((one) => ({ payer, ...expectStatus(one, 201) })),
  )
  await Promise.all(made.map(async (one) => expectStatus(await execute(one.payer, one), 200)))
  const statuses = () =>
    Promise.all(
      made.map(async (one) => (await readTransaction(one.payer, one.transactionId)).status),
    )
  await eventually(async () => {
    const open = (await statuses()).filter((status) => status === 'PROCESSING')
    assert.ok(open.length <= 1, 'at most one is to be paid')
  })
  const balances = await Promise.all(payers.map((one) => balanceOf(one.payer, one.account)))
  const debited = balances.reduce((sum, balance) => sum + 50_000 - balance, 0)
  assert.ok(debited <= 1_000, `the payers are debited ${debited}`)
})

test('UMA-8 an invoice by which a payment is under way is no answer to another pay request', async () => {
  const asked = { from, to: at('$frugal'), amount: 1_000 }
  expectStatus(await execute(platform, expectStatus(await quoteUma(platform, asked), 201)), 200)
  expectError(await quoteUma(platform, asked), 400, 'INVALID_PAYREQ_RESPONSE')
})

test('UMA-8 a provider of an older version is asked again in a version that both support', async () => {
  expectStatus(await lookUpUma(platform, at('$old')), 200)
})

test('UMA-6 mandatory fields are sent by the protocol’s names; an unknown one answers 501', async () => {
  const senderCustomerInfo = { FULL_NAME: 'Ann Able' }
  const emitted = await quoteUma(platform, { from, to: at('$polite'), senderCustomerInfo })
  expectStatus(emitted, 201)
  const [request] = counterparty.payRequests.slice(-1)
  assert.equal(request?.payerData?.name, 'Ann Able')
  const numbers = { TAX_ID: '12-3456789', ID_NUMBER: '111-22-3333' }
  const taxed = await quoteUma(platform, { from, to: at('$taxing'), senderCustomerInfo: numbers })
  assert.doesNotMatch(JSON.stringify(expectStatus(taxed, 201)), /3456789|22-3333/)
  const [asked] = counterparty.payRequests.slice(-1)
  assert.equal(asked?.payerData?.['taxId'], '12-3456789', 'a government’s number where it must be')
  assert.equal(asked.payerData['ID_NUMBER'], undefined, 'and not where it may be')
  const silent = await quoteUma(platform, { from, to: at('$polite') })
  expectError(silent, 400, 'MISSING_MANDATORY_USER_INFO')
  const curious = await lookUpUma(platform, at('$curious'))
  expectError(curious, 501, 'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY')
})

/** UMA-8: what a look-up comes to, by who is looked for. */
const LOOKUPS = [
  [at('$gone'), 404, 'UMA_NOT_FOUND'],
  [at('$down'), 424, 'LNURLP_REQUEST_FAILED'],
  ['$bob@no-such-host.invalid', 424, 'LNURLP_REQUEST_FAILED'],
  [at('$garbled'), 400, 'PARSE_LNURLP_RESPONSE_ERROR'],
  [at('$plain'), 400, 'MISSING_REQUIRED_UMA_PARAMETERS'],
  [at('$elsewhere'), 424, 'NO_COMPATIBLE_UMA_VERSION'],
  [at('$future'), 412, 'UNSUPPORTED_UMA_VERSION'],
  [at('$bob', 'nokeys.example'), 424, 'COUNTERPARTY_PUBKEY_FETCH_ERROR'],
  [at('$bob', 'badkeys.example'), 400, 'INVALID_PUBKEY_FORMAT'],
  [at('$bob', 'textkeys.example'), 400, 'INVALID_PUBKEY_FORMAT'],
  [at('$bob', 'wrongchain.example'), 400, 'CERT_CHAIN_INVALID'],
  [at('$forged'), 400, 'INVALID_NONCE'],
  [at('$late'), 400, 'INVALID_TIMESTAMP'],
] as const

for (const [address, status, code] of LOOKUPS) {
  test(`UMA-8 ${address}: ${status} ${code}`, async () => {
    expectError(await lookUpUma(platform, address), status, code)
  })
}

/** UMA-3: what is offered in dollars, by what their provider says of them. */
const OFFERS = [
  ['$boundless', [1, 9_000_000_000_000_000], 'no more than an amount can be'],
  ['$infinite', [1, 9_000_000_000_000_000], 'the same'],
  ['$negative', undefined, 'no price'],
  ['$costly', undefined, 'no price either'],
  ['$gratis', undefined, 'nobody gives money away'],
  ['$closed', undefined, 'no amount fits'],
  ['$fine', undefined, 'its smallest unit is not ours'],
] as const

for (const [user, range, reason] of OFFERS) {
  test(`UMA-3 UMA-8 ${user} numbers of others are taken with care: ${reason}`, async () => {
    const found = expectStatus(await lookUpUma(platform, at(user)), 200)
    const shown = found.supportedCurrencies.map(({ min, max }) => [min, max])
    assert.deepEqual(shown, range ? [range] : [])
  })
}

test('CORE-41 a replayed quote does not ask the other provider again', async () => {
  const headers = { 'idempotency-key': 'once' }
  const body = {
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: at('$bob') },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 1_000,
  }
  const first = expectStatus(await platform.api.post('/quotes', body, { headers }), 201)
  const count = counterparty.payRequests.length
  const again = await platform.api.post('/quotes', body, { headers })
  assert.deepEqual(expectStatus(again, 201), first)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(counterparty.payRequests.length, count)
  const other = { ...body, lockedCurrencyAmount: 1_001 }
  const reused = await platform.api.post('/quotes', other, { headers })
  expectError(reused, 409, 'IDEMPOTENCY_KEY_REUSED')
  assert.equal(counterparty.payRequests.length, count)
})

test('ACT-7 UMA-6 no data of a payer whom an agent does not act for reach another provider', async () => {
  const customerId = (await createCustomer(platform)).id
  const agent = await connectAgent(platform, { customerId })
  const count = counterparty.payRequests.length
  const answer = await agent.api.post('/agents/me/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: at('$bob') },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 1_000,
  })
  expectError(answer, 404, 'REFERENCE_NOT_FOUND')
  assert.equal(counterparty.payRequests.length, count)
})

test('UMA-8 a certificate is good for its time: CERT_CHAIN_EXPIRED', async () => {
  const outgoing = kit.florin.deps.outgoing.PRODUCTION
  const keysAt = (now: Date) => fetchCounterpartyKeys(outgoing, { domain: 'chain.example', now })
  assert.equal((await keysAt(new Date('2030-01-01'))).getSigningPubKey().length, 65)
  await assert.rejects(keysAt(new Date('2060-01-01')), { code: 'CERT_CHAIN_EXPIRED' })
  await assert.rejects(keysAt(new Date('2010-01-01')), { code: 'CERT_CHAIN_INVALID' })
})

test('UMA-8 an answer that was given before is a copy: 400 INVALID_NONCE', async () => {
  expectStatus(await lookUpUma(platform, at('$repeating')), 200)
  expectError(await lookUpUma(platform, at('$repeating')), 400, 'INVALID_NONCE')
})

/** UMA-8: what a pay request comes to. */
const PAYMENTS = [
  ['$nopay', 424, 'PAYREQ_REQUEST_FAILED'],
  ['$junkpay', 400, 'PARSE_PAYREQ_RESPONSE_ERROR'],
  ['$picky', 400, 'SENDER_NOT_ACCEPTED'],
  ['$other', 400, 'INVALID_PAYREQ_RESPONSE'],
  ['$greedy', 400, 'INVALID_PAYREQ_RESPONSE'],
  ['$expired', 400, 'INVALID_PAYREQ_RESPONSE'],
  ['$free', 400, 'INVALID_PAYREQ_RESPONSE'],
  ['$half', 400, 'INVALID_PAYREQ_RESPONSE'],
  ['$negative', 400, 'INVALID_CURRENCY'],
  ['$gratis', 400, 'INVALID_CURRENCY'],
] as const

for (const [user, status, code] of PAYMENTS) {
  test(`UMA-8 a quote to ${user}: ${status} ${code}, and nothing is left`, async () => {
    const count = async () => expectStatus(await platform.api.get('/transactions'), 200).totalCount
    const before = await count()
    expectError(await quoteUma(platform, { from, to: at(user) }), status, code)
    assert.equal(await count(), before)
  })
}
