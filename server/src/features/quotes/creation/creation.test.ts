import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Quote } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Body,
  type Shown,
} from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { asOperator, switchPlatform } from '../../../../test/kit/accounts/external-accounts.ts'
import { startOwnKit, WITH_BITCOIN, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  fund,
  payee,
  payer,
  platformAccount,
  quote,
  quoteBody,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { setAccountStatus } from '../../external-accounts/index.ts'
import { freezeAccount } from '../../internal-accounts/index.ts'

const kit = await startOwnKit()
const { platform, customerId, account: usd } = await payer(await kit.platform(WITH_BITCOIN))
const { api } = platform
const eur = await payee(platform, 'EUR_ACCOUNT')
const base = { from: usd, to: eur, amount: 1000 }

const figures = (quoted: Shown<Quote>) => [
  quoted.totalSendingAmount,
  quoted.totalReceivingAmount,
  quoted.feesIncluded,
  quoted.platformFeesIncluded,
  quoted.exchangeRate,
]

describe('QUOTE-1 form', () => {
  test('QUOTE-1 every missing or wrong field is named at once', async () => {
    expectFields(await api.post('/quotes', {}), [
      'source',
      'destination',
      'lockedCurrencySide',
      'lockedCurrencyAmount',
    ])
    const wrong = {
      ...quoteBody(base),
      lockedCurrencySide: 'BOTH',
      lockedCurrencyAmount: 0,
      immediatelyExecute: 'yes',
      description: 'x'.repeat(1001),
      remittanceInformation: 'x'.repeat(81),
      purposeOfPayment: 'FUN',
      scaFactor: 'FACE',
    }
    const errors = expectFields(await api.post('/quotes', wrong), [
      'lockedCurrencySide',
      'lockedCurrencyAmount',
      'immediatelyExecute',
      'description',
      'remittanceInformation',
      'purposeOfPayment',
      'scaFactor',
    ])
    const side = errors.find(({ field }) => text(field) === 'lockedCurrencySide')
    assert.deepEqual(side?.['constraint']?.['enum'], ['SENDING', 'RECEIVING'])
  })

  test('QUOTE-1 unknown kinds of source and destination are refused with the kinds there are', async () => {
    const body = { ...quoteBody(base), source: { sourceType: 'CASH' } }
    const [error] = expectFields(await api.post('/quotes', body), ['source.sourceType'])
    assert.deepEqual(error?.['constraint']?.['enum'], ['ACCOUNT', 'REALTIME_FUNDING'])
    const other = { ...quoteBody(base), destination: { destinationType: 'CASH' } }
    const [there] = expectFields(await api.post('/quotes', other), ['destination.destinationType'])
    assert.deepEqual(there?.['constraint']?.['enum'], ['ACCOUNT', 'UMA_ADDRESS'])
  })

  test('QUOTE-2 an account is named by its id: other forms 400, unknown and deleted ones 404', async () => {
    expectFields(await quote(platform, { ...base, to: customerId }), ['destination.accountId'])
    for (const kind of ['InternalAccount', 'ExternalAccount']) {
      const unknown = `${kind}:${newUuid()}`
      const from = await quote(platform, { ...base, from: unknown })
      expectError(from, 404, 'REFERENCE_NOT_FOUND')
      const to = await quote(platform, { ...base, to: unknown })
      expectError(to, 404, 'REFERENCE_NOT_FOUND')
    }
    const gone = await payee(platform, 'EUR_ACCOUNT')
    expectStatus(await api.delete(`/platform/external-accounts/${gone}`), 204)
    expectError(await quote(platform, { ...base, to: gone }), 404, 'REFERENCE_NOT_FOUND')
  })
})

describe('QUOTE-3 pulling', () => {
  const PULLED = [
    ['USD_ACCOUNT', true],
    ['EUR_ACCOUNT', true],
    ['MXN_ACCOUNT', true],
    ['BRL_ACCOUNT', true],
    ['KES_ACCOUNT', false],
    ['SWIFT_ACCOUNT', false],
    ['SPARK_WALLET', false],
  ] as const

  for (const [accountType, isPullable] of PULLED) {
    test(`QUOTE-3 in the sandbox a ${accountType} ${isPullable ? 'is' : 'is not'} pulled from`, async () => {
      const from = await payee(platform, accountType)
      const answer = await quote(platform, { ...base, from, amount: 10_000 })
      if (isPullable) return void expectStatus(answer, 201)
      const details = expectError(answer, 400, 'INVALID_BANK_ACCOUNT')
      assert.equal(details['reason'], 'NOT_PULLABLE')
    })
  }
})

describe('QUOTE-4 QUOTE-9 on whose behalf', () => {
  const onBehalf = (from: string, id: string) => ({
    ...quoteBody({ ...base, from }),
    source: { sourceType: 'ACCOUNT', accountId: from, customerId: id },
  })

  test('QUOTE-4 TXN-2 a platform account pays for a customer, a customer’s only for its owner', async () => {
    const own = await platformAccount(platform, 'USD')
    const quoted = expectStatus(await api.post('/quotes', onBehalf(own, customerId)), 201)
    const transaction = await readTransaction(platform, quoted.transactionId)
    assert.equal(transaction.customerId, customerId)
    expectStatus(await api.post('/quotes', onBehalf(usd, customerId)), 201)
    const other = (await createCustomer(platform)).id
    expectFields(await api.post('/quotes', onBehalf(usd, other)), ['source.customerId'])
    const nobody = await api.post('/quotes', onBehalf(own, `Customer:${newUuid()}`))
    expectError(nobody, 404, 'USER_NOT_FOUND')
    expectStatus(await api.delete(`/customers/${other}`), 200)
    expectError(await api.post('/quotes', onBehalf(own, other)), 404, 'USER_NOT_FOUND')
  })

  test('TXN-2 without one it is the payer’s, then the paid customer’s, then the platform’s', async () => {
    const own = await platformAccount(platform, 'USD')
    const theirs = await payee(platform, 'EUR_ACCOUNT', { customerId })
    const ofOwner = async (from: string, to: string): Promise<unknown> => {
      const quoted = expectStatus(await quote(platform, { from, to, amount: 1000 }), 201)
      const transaction = await readTransaction(platform, quoted.transactionId)
      return transaction.customerId
    }
    assert.equal(await ofOwner(usd, eur), customerId)
    assert.equal(await ofOwner(own, theirs), customerId)
    assert.equal(await ofOwner(own, eur), platform.platformId)
  })

  test('QUOTE-9 who pays is verified, who is paid need not be', async () => {
    const pending = (await createCustomer(platform, { fullName: 'Jo 001' })).id
    const from = await customerAccount(platform, pending, 'USD')
    const refused = expectError(await quote(platform, { ...base, from }), 403, 'USER_NOT_READY')
    assert.equal(refused['status'], 'PENDING')
    const own = await platformAccount(platform, 'USD')
    expectError(await api.post('/quotes', onBehalf(own, pending)), 403, 'USER_NOT_READY')
    const to = await payee(platform, 'EUR_ACCOUNT', { customerId: pending })
    expectStatus(await quote(platform, { ...base, to }), 201)
    expectStatus(await quote(platform, { from: own, to, amount: 1000 }), 201)
  })

  test('QUOTE-9 on an unregulated platform in full mode the terms must be accepted too', async () => {
    const unregulated = await kit.platform({ kind: 'UNREGULATED' })
    const customer = await createCustomer(unregulated)
    const from = await customerAccount(unregulated, customer.id, 'USD')
    const to = await payee(unregulated, 'EUR_ACCOUNT')
    expectError(await quote(unregulated, { from, to, amount: 1000 }), 403, 'USER_NOT_READY')
  })
})

describe('QUOTE-6 to QUOTE-8 the way', () => {
  test('QUOTE-6 a currency whose configuration lacks OUTGOING is not sent', async () => {
    const { platform: narrow, account } = await payer(await kit.platform())
    const to = await payee(narrow, 'EUR_ACCOUNT')
    const supportedCurrencies = [
      {
        currencyCode: 'USD',
        minAmount: 1,
        maxAmount: 1_000_000,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: ['INCOMING'],
      },
    ]
    expectStatus(await narrow.api.patch('/config', { supportedCurrencies }), 200)
    const answer = await quote(narrow, { from: account, to, amount: 1000 })
    expectError(answer, 400, 'INVALID_CURRENCY')
  })

  test('QUOTE-7 an account does not pay itself', async () => {
    expectError(await quote(platform, { ...base, to: usd }), 400, 'SELF_PAYMENT')
    const eurAccount = await customerAccount(platform, customerId, 'EUR')
    expectStatus(await quote(platform, { ...base, to: eurAccount }), 201)
  })

  const over = (to: string, paymentRail: string) => ({
    ...quoteBody({ ...base, to }),
    destination: { destinationType: 'ACCOUNT', accountId: to, paymentRail },
  })

  test('QUOTE-8 TXN-17 a rail is one of the account’s, and says how long it takes', async () => {
    const [error] = expectFields(await api.post('/quotes', over(eur, 'ACH')), [
      'destination.paymentRail',
    ])
    assert.deepEqual(error?.['constraint']?.['enum'], ['SEPA_INSTANT', 'SEPA'])
    const quoted = expectStatus(await api.post('/quotes', over(eur, 'SEPA')), 201)
    assert.equal(quoted.destination.paymentRail, 'SEPA')
    const slow = await readTransaction(platform, quoted.transactionId)
    assert.deepEqual(
      [slow.paymentRail, slow.railSelectionMode, slow.settlementTimelineSeconds],
      ['SEPA', 'MANUAL', 86_400],
    )
    const waitMs = Date.parse(text(slow.expectedSettlementAt)) - Date.parse(text(slow.createdAt))
    assert.equal(waitMs, 86_400_000)
  })

  test('QUOTE-8 TXN-17 inside and on a chain there is no rail', async () => {
    const inside = await customerAccount(platform, customerId, 'EUR')
    const wallet = await payee(platform, 'SPARK_WALLET')
    for (const to of [inside, wallet]) {
      expectFields(await api.post('/quotes', over(to, 'SEPA')), ['destination.paymentRail'])
      const quoted = expectStatus(await quote(platform, { ...base, to }), 201)
      const transaction = await readTransaction(platform, quoted.transactionId)
      assert.equal(transaction.paymentRail, undefined)
      assert.equal(transaction.settlementTimelineSeconds, undefined)
    }
  })
})

describe('RATE and FEE: prices', () => {
  const PRICES = [
    ['USD', 'EUR_ACCOUNT', 'SENDING', 100_000, [100_000, 91_540, 500, 0, 1.086956522]],
    ['USD', 'EUR_ACCOUNT', 'SENDING', 3, [3, 1, 1, 0, 1.086956522]],
    ['USD', 'EUR_ACCOUNT', 'RECEIVING', 92_000, [100_503, 92_000, 503, 0, 1.086956522]],
    ['USD', 'MXN_ACCOUNT', 'SENDING', 100_000, [100_000, 1_716_375, 500, 0, 0.05797101449]],
    ['USD', 'SPARK_WALLET', 'RECEIVING', 1000, [121, 1000, 1, 0, 120_000]],
    ['USD', 'SOLANA_WALLET', 'SENDING', 10_000, [10_000, 99_490_000, 51, 0, 1]],
    ['USDC', 'SOLANA_WALLET', 'RECEIVING', 1_000_000, [1_000_750, 1_000_000, 750, 0, 1]],
    ['USD', 'USD_ACCOUNT', 'SENDING', 12_550, [12_550, 12_550, 0, 0, 1]],
    ['BTC', 'EUR_ACCOUNT', 'RECEIVING', 5000, [45_518, 5000, 228, 0, 0.000009057971014]],
  ] as const

  for (const [currency, accountType, side, amount, expected] of PRICES) {
    test(`RATE-1 RATE-2 RATE-4 ${currency} to a ${accountType}, ${side} ${amount}`, async () => {
      const from = await platformAccount(platform, currency)
      const to = await payee(platform, accountType)
      const quoted = expectStatus(await quote(platform, { from, to, amount, side }), 201)
      assert.deepEqual(figures(quoted), expected)
    })
  }

  test('RATE-5 what leaves nothing to deliver, or is too much, is out of range', async () => {
    const huge = { ...base, amount: 9_000_000_000_000_000, side: 'RECEIVING' } as const
    for (const asked of [{ ...base, amount: 1 }, { ...base, amount: 2 }, huge]) {
      const details = expectError(await quote(platform, asked), 400, 'AMOUNT_OUT_OF_RANGE')
      assert.deepEqual(details, { minimum: 3, maximum: 100_000_000, currency: 'USD' })
    }
    expectStatus(await quote(platform, { ...base, amount: 3 }), 201)
  })

  test('FEE-10 rate details come with conversions only, and multiply to the rate', async () => {
    const quoted = expectStatus(await quote(platform, base), 201)
    const details = quoted.rateDetails as unknown as Record<string, number>
    const product = details['serviceApiMultiplier']! * details['counterpartyMultiplier']!
    assert.ok(Math.abs(product / (0.92 * 0.995) - 1) < 1e-9)
    const same = { ...base, to: await payee(platform, 'USD_ACCOUNT') }
    assert.equal(expectStatus(await quote(platform, same), 201).rateDetails, undefined)
  })

  const override = (amount: number, bps: number, currency = 'USD') => ({
    platformFeeOverride: {
      platformFixedFee: { amount, currency },
      platformVariableFeeBps: bps,
    },
  })

  test('FEE-4 an override takes the place of the configured fee for this quote', async () => {
    const dear = expectStatus(await quote(platform, { ...base, ...override(50, 30) }), 201)
    assert.deepEqual(figures(dear).slice(0, 4), [1000, 866, 58, 53])
    const free = expectStatus(await quote(platform, { ...base, ...override(0, 0) }), 201)
    assert.equal(free.platformFeesIncluded, 0)
  })

  test('FEE-4 an override is for conversions of USD, in USD, whole and not negative', async () => {
    const fromEur = await platformAccount(platform, 'EUR')
    const mxn = await payee(platform, 'MXN_ACCOUNT')
    const eurFee = { from: fromEur, to: mxn, amount: 1000, ...override(5, 0, 'EUR') }
    expectFields(await quote(platform, eurFee), ['platformFeeOverride'])
    expectFields(await quote(platform, { ...base, ...override(5, 0, 'EUR') }), [
      'platformFeeOverride.platformFixedFee.currency',
    ])
    const same = { ...base, to: await payee(platform, 'USD_ACCOUNT') }
    expectFields(await quote(platform, { ...same, ...override(5, 0) }), ['platformFeeOverride'])
    expectStatus(await quote(platform, { ...same, ...override(0, 0) }), 201)
    expectFields(await quote(platform, { ...base, ...override(-1, 10_001) }), [
      'platformFeeOverride.platformFixedFee.amount',
      'platformFeeOverride.platformVariableFeeBps',
    ])
    const half = { platformFeeOverride: { platformVariableFeeBps: 1 } }
    expectFields(await quote(platform, { ...base, ...half }), [
      'platformFeeOverride.platformFixedFee',
    ])
  })

  test('FEE-7 a platform without an account in the sending currency cannot take a fee in it', async () => {
    const noUsd = await kit.platform({ currencies: ['EUR'] })
    const from = await payee(noUsd, 'USD_ACCOUNT')
    const to = await payee(noUsd, 'EUR_ACCOUNT')
    const asked = { from, to, amount: 1000 }
    const refused = await quote(noUsd, { ...asked, ...override(5, 0) })
    expectError(refused, 400, 'INVALID_CURRENCY')
    expectStatus(await quote(noUsd, asked), 201)
  })

  test('FEE-1 QUOTE-11 new fees bind new quotes only', async () => {
    const { platform: other, account } = await payer(await kit.platform())
    const to = await payee(other, 'EUR_ACCOUNT')
    const before = expectStatus(await quote(other, { from: account, to, amount: 1000 }), 201)
    await operate(
      kit,
      `fees set --platform ${other.platformId} --service-bps 200 --service-fixed USD:3`,
    )
    const after = expectStatus(await quote(other, { from: account, to, amount: 1000 }), 201)
    assert.deepEqual([before.feesIncluded, after.feesIncluded], [5, 23])
    expectStatus(await other.api.post(`/quotes/${before.id}/execute`), 200)
    const kept = await readTransaction(other, before.transactionId)
    assert.equal(kept.fees, 5)
  })
})

describe('EACC and OWN: what may be paid', () => {
  test('QUOTE-10 the balance is not looked at, and nothing is reserved', async () => {
    const { platform: poor, account } = await payer(await kit.platform(), { funded: 0 })
    const to = await payee(poor, 'EUR_ACCOUNT')
    const quoted = expectStatus(await quote(poor, { from: account, to, amount: 1000 }), 201)
    assert.deepEqual(await eventTypesOf(poor, quoted.transactionId), ['OUTGOING_PAYMENT.PENDING'])
    assert.equal(await balanceOf(poor, account), 0)
  })

  test('IACC-8 accounts that are not in use neither pay nor are paid', async () => {
    const { platform: own, customerId: id, account } = await payer(await kit.platform())
    const to = await payee(own, 'EUR_ACCOUNT')
    const other = await customerAccount(own, id, 'EUR')
    await asOperator(kit, own, async (work) => {
      await freezeAccount(work, mustParseId('internalAccount', account))
      await freezeAccount(work, mustParseId('internalAccount', other))
    })
    const platforms = await platformAccount(own, 'USD')
    await fund(own, platforms, 1000)
    for (const [ends, frozen] of [
      [{ from: account, to }, account],
      [{ from: platforms, to: other }, other],
    ] as const) {
      const answer = await quote(own, { ...ends, amount: 1000 })
      const details = expectError(answer, 403, 'USER_NOT_READY')
      assert.deepEqual(details, { accountId: frozen, accountStatus: 'FROZEN' } as unknown as Body)
    }
  })

  test('EACC-17 an external account pays and is paid only while ACTIVE', async () => {
    const held = await payee(platform, 'EUR_ACCOUNT')
    await asOperator(kit, platform, (work) =>
      setAccountStatus(work, {
        id: mustParseId('externalAccount', held),
        status: 'UNDER_REVIEW',
      }),
    )
    for (const ends of [
      { ...base, to: held },
      { ...base, from: held, to: usd },
    ]) {
      const details = expectError(await quote(platform, ends), 400, 'INVALID_BANK_ACCOUNT')
      assert.equal(details['status'], 'UNDER_REVIEW')
    }
  })

  test('OWN-8 an unproven wallet of one’s own is paid up to 1,000 EUR', async () => {
    const eea = (await createCustomer(platform, { region: 'DE' })).id
    const body = {
      customerId: eea,
      currency: 'USDC',
      ownershipType: 'FIRST_PARTY',
      accountInfo: {
        accountType: 'SOLANA_WALLET',
        address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      },
    }
    const wallet = expectStatus(await api.post('/customers/external-accounts', body), 201)
    assert.equal(wallet.status, 'PENDING_OWNERSHIP_VERIFICATION')
    const from = await platformAccount(platform, 'USDC')
    const asked = { from, to: wallet.id, side: 'RECEIVING' } as const
    // 1,086.956521 USDC at 0.92 are 999.99999932 EUR, rounded up 1,000.00.
    expectStatus(await quote(platform, { ...asked, amount: 1_086_956_521 }), 201)
    const answer = await quote(platform, { ...asked, amount: 1_086_956_522 })
    expectError(answer, 400, 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED')
  })

  test('EACC-18 an invoice that states an amount is quoted exactly that, received', async () => {
    const invoice =
      'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'
    const account = { accountType: 'LIGHTNING', invoice }
    const created = await api.post('/platform/external-accounts', {
      currency: 'BTC',
      accountInfo: account,
    })
    const to = expectStatus(created, 201).id
    for (const wrong of [
      { amount: 250_000, side: 'SENDING' as const },
      { amount: 249_999, side: 'RECEIVING' as const },
    ]) {
      expectError(await quote(platform, { from: usd, to, ...wrong }), 400, 'INVALID_AMOUNT')
    }
    const exact = { from: usd, to, amount: 250_000, side: 'RECEIVING' as const }
    expectStatus(await quote(platform, exact), 201)
  })

  test('QUOTE-22 a strict platform asks what rupees are for', async () => {
    const strict = await kit.platform()
    await switchPlatform(kit, strict, { strictIdentifiers: true })
    const from = await platformAccount(strict, 'USD')
    const to = await payee(strict, 'INR_ACCOUNT')
    const asked = { from, to, amount: 1000 }
    expectFields(await quote(strict, asked), ['purposeOfPayment'])
    expectStatus(await quote(strict, { ...asked, purposeOfPayment: 'GIFT' }), 201)
    const lenient = await payee(platform, 'INR_ACCOUNT')
    expectStatus(await quote(platform, { ...base, to: lenient }), 201)
  })
})

test('QUOTE-1 TXN-9 description and remittance information go with the transaction', async () => {
  const more = {
    description: 'Rent — März',
    remittanceInformation: `RENT ${newUuid()}`.slice(0, 40),
  }
  const quoted = expectStatus(await quote(platform, { ...base, ...more }), 201)
  const transaction = await readTransaction(platform, quoted.transactionId)
  assert.equal(transaction.description, 'Rent — März')
  const query = { reference: more.remittanceInformation }
  const found = expectStatus(await api.get('/transactions', { query }), 200)
  assert.equal((found.data as unknown as Body[])[0]?.['id'], quoted.transactionId)
})

test('CORE-41 under a key a quote is made once, and its answer repeated', async () => {
  const headers = { 'Idempotency-Key': newUuid() }
  const first = await api.post('/quotes', quoteBody(base), { headers })
  const again = await api.post('/quotes', quoteBody(base), { headers })
  assert.equal(expectStatus(again, 201).id, expectStatus(first, 201).id)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = await api.post('/quotes', quoteBody({ ...base, amount: 2000 }), { headers })
  expectError(other, 409, 'IDEMPOTENCY_KEY_REUSED')
})

test('RATE-11 FEE-11 in production a quote needs fresh prices', async () => {
  const production: TestPlatform = await kit.platform({
    environment: 'PRODUCTION',
    currencies: ['USD'],
  })
  const body = {
    currency: 'USDC',
    accountInfo: {
      accountType: 'SOLANA_WALLET',
      address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    },
  }
  const created = await production.api.post('/platform/external-accounts', body)
  const to = expectStatus(created, 201).id
  const from = await platformAccount(production, 'USD')
  const asked = { from, to, amount: 10_000 }
  const refused = async () =>
    expectError(await quote(production, asked), 400, 'QUOTE_REQUEST_FAILED')
  assert.deepEqual(await refused(), { network: 'SOLANA', missing: ['USDC', 'NETWORK_FEE'] })
  await operate(kit, 'network-fees set --network SOLANA --fee 5000')
  assert.deepEqual(await refused(), { network: 'SOLANA', missing: ['USDC', 'SOL'] })
  await operate(kit, 'rates set --price SOL=1/150')
  assert.deepEqual(await refused(), { missing: ['USDC'] })
  await operate(kit, 'rates set --price USDC=1')
  // The account itself is not open yet: a bank has to do that.
  const details = expectError(await quote(production, asked), 403, 'USER_NOT_READY')
  assert.equal(details['accountStatus'], 'PENDING')
})
