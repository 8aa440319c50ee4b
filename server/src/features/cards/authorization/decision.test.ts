import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asId } from '../../../kernel/ids.ts'
import { declineReasonOf, inCardCurrency, type AuthorizationQuestion } from './decision.ts'
import { cardAt, type Card } from '../record/card.ts'
import type { DeclineReason } from '../transaction/card-transaction.ts'
import { ineligibilityOf } from '../funding/sources.ts'

const UUID = '01994d2e-7c1a-7f00-8000-000000000001'
const HOLDER = asId('customer', UUID)
const OTHER = asId('customer', '01994d2e-7c1a-7f00-8000-000000000002')

const payer = {
  id: HOLDER,
  platformCustomerId: 'mira',
  status: 'APPROVED',
  consent: undefined,
  isDeleted: false,
  customerType: 'INDIVIDUAL',
  missingFields: [],
} as const
const provisioned = {
  brand: 'VISA',
  last4: '1234',
  expMonth: 3,
  expYear: 2030,
  processorRef: 'p',
  issuerRef: 'i',
} as const
const EXPIRY = new Date('2030-04-01T00:00:00.000Z')
const card: Card = {
  providerId: null,
  id: asId('card', UUID),
  customerId: HOLDER,
  platformCardId: 'card',
  state: 'ACTIVE',
  stateReason: null,
  stateVersion: 0,
  currency: 'USD',
  provisioned,
  maxSpendPerTransaction: 500n,
  fundingAccountIds: [],
  createdAt: new Date('2026-03-05T00:00:00.000Z'),
  updatedAt: new Date('2026-03-05T00:00:00.000Z'),
}
const closed: Card = { ...card, state: 'CLOSED', stateReason: 'CLOSED_BY_SERVICE' }
const account = { status: 'ACTIVE', type: 'INTERNAL_FIAT', payer } as const
const purchase = { kind: 'AUTHORIZATION', amount: 100n } as const

/** A purchase that is approved. */
const GOOD: AuthorizationQuestion = {
  card,
  hasDelegatedKey: false,
  account,
  requested: purchase,
  available: 100n,
  simulated: {},
}
const credit = { kind: 'CREDIT_AUTHORIZATION', amount: 900n } as const
const advice = { kind: 'CREDIT_AUTHORIZATION_ADVICE', amount: 900n } as const
const frozen: Card = { ...card, state: 'FROZEN' }
const wallet = { ...account, type: 'EMBEDDED_WALLET' } as const

const CASES: readonly (readonly [
  string,
  Partial<AuthorizationQuestion>,
  DeclineReason | undefined,
])[] = [
  ['AUTHZ-10 all that there is', {}, undefined],
  ['AUTHZ-10 a cent more', { available: 99n }, 'INSUFFICIENT_FUNDS'],
  ['AUTHZ-1 closed', { card: closed }, 'CARD_CLOSED'],
  ['AUTHZ-1 closed, and past its month since', { card: cardAt(closed, EXPIRY) }, 'CARD_CLOSED'],
  [
    'AUTHZ-2 not made yet',
    { card: { ...card, state: 'PROCESSING', provisioned: null } },
    'CARD_NOT_ACTIVE',
  ],
  ['AUTHZ-3 frozen', { card: frozen }, 'CARD_PAUSED'],
  ['AUTHZ-3 frozen, a credit', { card: frozen, requested: credit }, 'CARD_PAUSED'],
  ['AUTHZ-3 frozen, but only informed', { card: frozen, requested: advice }, undefined],
  [
    'AUTHZ-4 the last moment of its month',
    { card: cardAt(card, new Date('2030-03-31T23:59:59.999Z')) },
    undefined,
  ],
  ['AUTHZ-4 a moment later', { card: cardAt(card, EXPIRY) }, 'CARD_EXPIRED'],
  ['AUTHZ-4 a moment later, frozen', { card: cardAt(frozen, EXPIRY) }, 'CARD_EXPIRED'],
  [
    'AUTHZ-4 closed by expiry and recorded later',
    { card: { ...closed, updatedAt: new Date('2030-04-01T00:00:07.000Z') } },
    'CARD_EXPIRED',
  ],
  [
    'AUTHZ-5 on hold',
    { account: { ...account, payer: { ...payer, status: 'HOLD' } } },
    'CARDHOLDER_INELIGIBLE',
  ],
  [
    'AUTHZ-5 deleted',
    { account: { ...account, payer: { ...payer, isDeleted: true } } },
    'CARDHOLDER_INELIGIBLE',
  ],
  [
    'AUTHZ-6 the limit itself',
    { requested: { ...purchase, amount: 500n }, available: 500n },
    undefined,
  ],
  [
    'AUTHZ-6 above the limit, before the balance',
    { requested: { ...purchase, amount: 501n } },
    'SPENDING_LIMIT_EXCEEDED',
  ],
  [
    'AUTHZ-6 no limit',
    {
      card: { ...card, maxSpendPerTransaction: null },
      requested: { ...purchase, amount: 501n },
      available: 501n,
    },
    undefined,
  ],
  [
    'AUTHZ-25 a credit knows neither limit nor balance',
    { requested: credit, available: 0n },
    undefined,
  ],
  [
    'AUTHZ-7 a suffix before the account',
    { simulated: { decline: 'CARD_PAUSED' }, account: { ...account, status: 'FROZEN' } },
    'CARD_PAUSED',
  ],
  [
    'AUTHZ-7 a suffix after the limit',
    { simulated: { decline: 'CARD_PAUSED' }, requested: { ...purchase, amount: 501n } },
    'SPENDING_LIMIT_EXCEEDED',
  ],
  [
    'AUTHZ-8 frozen account',
    { account: { ...account, status: 'FROZEN' } },
    'FUNDING_SOURCE_UNAVAILABLE',
  ],
  [
    'AUTHZ-8 also for a credit',
    { account: { ...account, status: 'CLOSED' }, requested: credit },
    'FUNDING_SOURCE_UNAVAILABLE',
  ],
  [
    'AUTHZ-9 a wallet without a key, before the balance',
    { account: wallet, available: 0n },
    'FUNDING_SOURCE_NOT_AUTHORIZED',
  ],
  ['AUTHZ-9 with one', { account: wallet, hasDelegatedKey: true }, undefined],
  ['AUTHZ-9 a credit needs none', { account: wallet, requested: credit }, undefined],
  ['AUTHZ-26 an inquiry asks for nothing', { requested: undefined, available: 0n }, undefined],
  [
    'AUTHZ-26 an inquiry on a wallet without a key',
    { requested: undefined, account: wallet },
    'FUNDING_SOURCE_NOT_AUTHORIZED',
  ],
]

for (const [why, change, reason] of CASES) {
  test(`${why}: ${reason ?? 'approved'}`, () => {
    assert.equal(declineReasonOf({ ...GOOD, ...change }), reason)
  })
}

const CONVERSIONS: readonly (readonly [string, string, bigint | string, string])[] = [
  ['USD', 'USD', 1_250n, 'the card’s own'],
  ['USD', 'USDC', 12_500_000n, 'dollars for a dollar coin, exactly'],
  ['USD', 'USDB', 12_500_000n, 'and for the other one'],
  ['USDC', 'USD', 'INVALID_CURRENCY', 'not the other way round'],
  ['USDC', 'USDB', 'INVALID_CURRENCY', 'nor one coin for another'],
  ['EUR', 'USDC', 'INVALID_CURRENCY', 'nor another currency'],
  ['usd', 'USD', 'INVALID_CURRENCY', 'exact case'],
]

for (const [currency, cardCurrency, expected, why] of CONVERSIONS) {
  test(`AUTHZ-22 ${currency} on a card in ${cardCurrency}: ${why}`, () => {
    const convert = () => inCardCurrency({ amount: 1_250n, currency }, cardCurrency)
    if (typeof expected === 'bigint') assert.equal(convert(), expected)
    else assert.throws(convert, { code: expected })
  })
}

const usd = { customerId: HOLDER, currency: 'USD', status: 'ACTIVE' } as const
const ACCOUNTS: readonly (readonly [
  Parameters<typeof ineligibilityOf>[0],
  string | undefined,
  string,
])[] = [
  [usd, undefined, 'the holder’s own'],
  [undefined, 'NOT_OWNED', 'unknown'],
  [{ ...usd, customerId: OTHER }, 'NOT_OWNED', 'another customer’s'],
  [{ ...usd, customerId: null }, 'NOT_OWNED', 'the platform’s'],
  [{ ...usd, currency: 'MXN' }, 'CURRENCY_NOT_ELIGIBLE', 'no card currency, before the mismatch'],
  [{ ...usd, currency: 'EUR' }, 'CURRENCY_MISMATCH', 'not the card’s'],
  [{ ...usd, status: 'FROZEN' }, 'ACCOUNT_NOT_ACTIVE', 'frozen'],
]

for (const [given, reason, why] of ACCOUNTS) {
  test(`CARD-5 an account that is ${why}`, () => {
    assert.equal(ineligibilityOf(given, { customerId: HOLDER, currency: 'USD' }), reason)
  })
}
