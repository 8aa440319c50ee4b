import { randomInt } from 'node:crypto'
import type { Card, Florin } from '../../sdk/src/index.ts'
import { CallError } from '../command.ts'

/** What an event is triggered with: the client, and what it is to happen to, where that is given. */
export type Scenario = Readonly<{ florin: Florin; on: string | undefined }>

const FUNDS = 100_000
const MERCHANT = { mcc: '5814', country: 'US' }
const USD = { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 }
export const ADDRESS = {
  line1: '1 Main St',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
}

const isA = (kind: string, id: string | undefined): id is string =>
  id?.startsWith(`${kind}:`) ?? false

export const digits = (count: number): string =>
  Array.from({ length: count }, () => randomInt(10)).join('')

/** A new person; the end of the name decides what becomes of it. */
export const newPerson = ({ florin }: Scenario, ending = '', more: object = {}) =>
  florin.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: `Ana Trigger ${ending}`.trim(),
    ...more,
  })

/** A new business; the end of its registration number decides what becomes of it. */
export const newBusiness = ({ florin }: Scenario, ending = '000') =>
  florin.customers.create({
    customerType: 'BUSINESS',
    address: ADDRESS,
    businessInfo: {
      legalName: 'Trigger Inc.',
      country: 'US',
      taxId: '12-3456789',
      incorporatedOn: '2001-02-03',
      registrationNumber: `${digits(6)}${ending}`,
      entityType: 'LLC',
      countriesOfOperation: ['US'],
    },
  })

const personOf = async (scenario: Scenario): Promise<string> =>
  isA('Customer', scenario.on) ? scenario.on : (await newPerson(scenario)).id

/** The dollars of a person, with money on it. */
export async function fundedAccount(scenario: Scenario, customerId?: string): Promise<string> {
  const { florin, on } = scenario
  const id = isA('InternalAccount', on)
    ? on
    : await accountOf(scenario, customerId ?? (await personOf(scenario)))
  await florin.sandbox.fund(id, { amount: FUNDS })
  return id
}

async function accountOf({ florin }: Scenario, customerId: string): Promise<string> {
  const { data } = await florin.customers.internalAccounts.list({ customerId, currency: 'USD' })
  if (!data[0]) throw new CallError('The customer has no account in USD.')
  return data[0].id
}

/** Somebody to pay in dollars; the end of the account number decides what becomes of payments. */
export async function newPayee(
  { florin }: Scenario,
  ending = '000',
  customerId?: string,
  more: Readonly<{ defaultUmaDepositAccount?: boolean }> = {},
): Promise<string> {
  const body = {
    ...more,
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: `${digits(9)}${ending}`,
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe', address: ADDRESS },
    },
  } as const
  const created = customerId
    ? await florin.customers.externalAccounts.create({ ...body, customerId })
    : await florin.platform.externalAccounts.create(body)
  return created.id
}

export const quote = (
  { florin }: Scenario,
  { from, to, isExecuted = false }: Readonly<{ from: string; to: string; isExecuted?: boolean }>,
) =>
  florin.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
    immediatelyExecute: isExecuted,
  })

/** A payment to an account with this end, and as much time as its outcome takes. */
export async function pay(scenario: Scenario, ending?: string): Promise<void> {
  const from = await fundedAccount(scenario)
  await quote(scenario, { from, to: await newPayee(scenario, ending), isExecuted: true })
  await pass(scenario, 60)
}

export const pass = ({ florin }: Scenario, advanceSeconds: number) =>
  florin.sandbox.clock.advance({ advanceSeconds })

/** The card that is given, or a new one with money behind it. */
export async function cardOf(scenario: Scenario): Promise<Card> {
  const { florin, on } = scenario
  if (isA('Card', on)) return florin.cards.get(on)
  const customerId = await personOf(scenario)
  const fundingSource = await fundedAccount(scenario, customerId)
  const { id } = await florin.cards.create({ customerId, form: 'VIRTUAL', fundingSource })
  return florin.cards.get(id)
}

/** A purchase of 10.00 USD; the end of the merchant's name decides. */
export async function purchase(scenario: Scenario, ending = 'COFFEE') {
  const card = await cardOf(scenario)
  const merchant = { ...MERCHANT, descriptor: `BLUE DOOR ${ending}` }
  const transaction = await scenario.florin.sandbox.cards.authorize(card.id, {
    amount: 1_000,
    currency: USD,
    merchant,
  })
  return { card, transaction }
}

/** A purchase that was cleared with this amount. */
export async function clearedPurchase(scenario: Scenario, amount: number) {
  const { card, transaction } = await purchase(scenario)
  const cardTransactionId = transaction.id
  await scenario.florin.sandbox.cards.clear(card.id, { cardTransactionId, amount })
  return { card, cardTransactionId }
}
