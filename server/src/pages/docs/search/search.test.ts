/** What the search finds first in the real description and guides. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { guideFiles } from '../guides/contents.ts'

type Entry = { href: string; title: string }
type Result = { entry: Entry; score: number; why: string | undefined }
type Synonym = { words: string[]; leadTo: string[] }

const load = (name: string) => import(new URL(name, import.meta.url).href)
const { readGuides } = await load('../guides/guide-text.js')
const { createModel } = await load('../model.js')
const { createEntries } = await load('entries.js')
const { createSearch } = await load('search-index.js')
const { SYNONYMS }: { SYNONYMS: Synonym[] } = await load('synonyms.js')

const DESCRIPTION = join(import.meta.dirname, '../../../../../docs/reference/openapi.json')

const model = createModel(JSON.parse(readFileSync(DESCRIPTION, 'utf8')))
const guides = guideFiles()
  .find(([name]) => name === 'guides.json')?.[1]
  .toString('utf8')
const entries: Entry[] = createEntries(model, readGuides(JSON.parse(guides ?? '')))
const search: (query: string) => Result[] = createSearch(entries)
const firstOf = (query: string) => search(query)[0]?.entry.href

/** What is typed, and the address of the first result. */
const FIRST: Record<string, string> = {
  // Words of the trade.
  payout: '#createQuote',
  payouts: '#createQuote',
  'send money': '#createQuote',
  transfer: '#createQuote',
  withdraw: '#createQuote',
  deposit: '#listCustomerInternalAccounts',
  'top up': '#listCustomerInternalAccounts',
  refund: '#sandboxSimulateCardReturn',
  chargeback: '#sandboxSimulateCardReturn',
  kyc: '#createVerification',
  kyb: '#createVerification',
  freeze: '#updateCardById',
  'freeze a card': '#updateCardById',
  block: '#updateCardById',
  cvv: '#revealCard',
  '2fa': '#startScaFactorEnrollment',
  mfa: '#startScaFactorEnrollment',
  otp: '#authorizeQuote',
  passkey: '#createAuthCredential',
  crypto: '#createCustomerExternalAccount',
  usdc: '#createCustomerExternalAccount',
  stablecoin: '#registerStablecoin',
  bitcoin: '#createCustomerExternalAccount',
  lightning: '#createCustomerExternalAccount',
  fx: '#getExchangeRates',
  'exchange rate': '#getExchangeRates',
  webhook: '#webhooks',
  callback: '#webhooks',
  'api key': '#createToken',
  token: '#createToken',
  limit: '#getExchangeRates',
  'rate limit': '#errors/RATE_LIMITED',
  'spending limit': '#updateAgentPolicy',
  statement: '#listTransactions',
  'bank transfer': '#createQuote',
  'send money to mexico': '#createQuote',
  'delete api key': '#deleteTokenById',
  login: '#challengeAuthCredential',
  postman: '#',
  'test mode': '#/concepts/sandbox',
  balance: '#listCustomerInternalAccounts',
  // Names of fields, parameters and values.
  iban: '#createCustomerExternalAccount',
  swift: '#createCustomerExternalAccount',
  lockedCurrencySide: '#createQuote',
  'locked currency side': '#createQuote',
  paymentRail: '#createQuote',
  umaAddress: '#createCustomer',
  platformCustomerId: '#createCustomer',
  fundingSources: '#createCard',
  state: '#updateCardById',
  'customer iban': '#createCustomerExternalAccount',
  // Operations by name and path, codes and events.
  'create card': '#createCard',
  'list transactions': '#listTransactions',
  'delete a customer': '#deleteCustomerById',
  'POST /quotes': '#createQuote',
  '/quotes/{quoteId}/execute': '#executeQuote',
  insufficient_balance: '#errors/INSUFFICIENT_BALANCE',
  'quote expired': '#errors/QUOTE_EXPIRED',
  'OUTGOING_PAYMENT.FAILED': '#webhooks/OUTGOING_PAYMENT.FAILED',
  // Guides and their sections.
  onboarding: '#/guides/onboarding',
  sdk: '#/guides/sdk',
  'going to production': '#/guides/going-to-production',
  idempotency: '#/concepts/idempotency',
  docker: '#/guides/deploy',
  'magic values': '#listSandboxMagicValues',
  'showing the number': '#/guides/cards/showing-the-number',
  'dead jobs': '#/runbooks/dead-jobs',
  // Beginnings and slips.
  payou: '#createQuote',
  exch: '#getExchangeRates',
  lockedCurr: '#createQuote',
  paswkey: '#createAuthCredential',
  beneficary: '#createCustomerExternalAccount',
  cusotmers: '#tag/Customers',
  lockedCurencySide: '#createQuote',
  webhok: '#webhooks',
}

test('OPER-170 the first result is what a person means, also by a beginning or with a slip', () => {
  const found = Object.keys(FIRST).map((query) => [query, firstOf(query)])
  assert.deepEqual(Object.fromEntries(found), FIRST)
  assert.ok(found.length >= 40)
})

test('OPER-170 a result says why it matches', () => {
  const whyOf = (query: string, href: string) =>
    search(query).find((result) => result.entry.href === href)?.why
  assert.equal(
    whyOf('iban', '#createCustomerExternalAccount'),
    'field accountInfo.iban of the body',
  )
  assert.equal(whyOf('payout', '#createQuote'), '/quotes, for “payout”')
  assert.equal(whyOf('cardId', '#listTransactions'), 'parameter cardId')
  assert.equal(whyOf('QUOTE_EXPIRED', '#executeQuote'), 'may refuse with QUOTE_EXPIRED')
  assert.equal(whyOf('FROZEN', '#updateCardById'), 'state: FROZEN')
  assert.equal(
    whyOf('customer iban', '#createCustomerExternalAccount'),
    'field accountInfo.iban of the body',
  )
})

test('OPER-170 every place that a synonym leads to exists, and no word is listed twice', () => {
  const places = new Set(entries.map(({ href }) => href))
  const targets = SYNONYMS.flatMap(({ leadTo }) => leadTo)
  assert.deepEqual(
    targets.filter((target) => !places.has(`#${target}`)),
    [],
  )
  const words = SYNONYMS.flatMap((row) => row.words)
  assert.deepEqual(
    words.filter((word, at) => words.indexOf(word) !== at),
    [],
  )
})

test('OPER-170 nothing is found for nothing, and what matches partly is found where nothing matches fully', () => {
  assert.deepEqual(search('   '), [])
  assert.deepEqual(search('zzzzqqq'), [])
  assert.equal(firstOf('payout zzzzqqq'), '#createQuote')
})
