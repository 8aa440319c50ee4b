import type { CardTransaction } from '../../../sdk/src/index.ts'
import { expectStatus, type HasId, type Shown } from './api.ts'
import { createCustomer, currencyOf, listAccounts } from './customers.ts'
import type { TestPlatform } from './florin.ts'

export type Cardholder = Readonly<{
  customerId: string
  /** The accounts by currency. */
  accounts: Readonly<Record<string, string>>
}>

/** A verified customer with money on its USD account. */
export async function newCardholder(
  p: TestPlatform,
  { funds = 50_000, ...body }: Readonly<{ funds?: number; [field: string]: unknown }> = {},
): Promise<Cardholder> {
  const customer = await createCustomer(p, { fullName: 'Mira Aldana', ...body })
  const listed = await listAccounts(p, customer)
  const accounts = Object.fromEntries(listed.map((account) => [currencyOf(account), account.id]))
  if (funds > 0 && accounts['USD'] !== undefined) await fund(p, accounts['USD'], funds)
  return { customerId: customer.id, accounts }
}

export async function fund(
  { api }: TestPlatform,
  accountId: string,
  amount: number,
): Promise<void> {
  expectStatus(await api.post(`/sandbox/internal-accounts/${accountId}/fund`, { amount }), 200)
}

/** Issues a card on the holder's USD account, or on what the body names, and answers it as it is then. */
export async function issueCard(
  { api }: TestPlatform,
  { customerId, accounts }: Cardholder,
  body: object = {},
) {
  const asked = { customerId, form: 'VIRTUAL', fundingSource: accounts['USD'], ...body }
  const { id } = expectStatus(await api.post('/cards', asked), 201)
  return expectStatus(await api.get(`/cards/${id}`), 200)
}

/** A card number by itself: an id in hex may well have as many digits in a row. */
export const CARD_NUMBER = /\b\d{13,19}\b/
export const MERCHANT = { descriptor: 'BLUE DOOR COFFEE', mcc: '5814', country: 'US' } as const
export const USD = { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 } as const

/** One holder with one active card, and what can happen to it. */
export async function newCard(
  p: TestPlatform,
  {
    card: cardBody = {},
    ...holderBody
  }: Readonly<{
    card?: object
    funds?: number
    [field: string]: unknown
  }> = {},
) {
  const { api } = p
  const holder = await newCardholder(p, holderBody)
  const card = await issueCard(p, holder, cardBody)
  return {
    ...holder,
    ...cardActions(p, card.id),
    card,
    accountId: card.fundingSource,
    api,
  }
}

export type CardUnderTest = Awaited<ReturnType<typeof newCard>>

/** What the network can be made to send about a card that answers its transaction. */
export type Simulated =
  | 'authorization'
  | 'authorization_advice'
  | 'clearing'
  | 'credit_authorization'
  | 'credit_authorization_advice'
  | 'financial_authorization'
  | 'financial_credit_authorization'
  | 'return'
  | 'return_reversal'

export function cardActions({ api }: TestPlatform, id: string) {
  const simulate = <Kind extends string>(kind: Kind, body: object) =>
    api.post(`/sandbox/cards/${id}/simulate/${kind}`, body)
  const simulated = async (kind: Simulated, body: object) =>
    expectStatus(await simulate(kind, body), 202)
  const balances = async (accountId: string) => {
    const { data } = expectStatus(await api.get('/customers/internal-accounts?limit=100'), 200)
    const found = data.find((account) => account.id === accountId)
    return {
      balance: Number(found?.balance.amount),
      totalBalance: Number(found?.totalBalance.amount),
    }
  }
  return {
    id,
    simulate,
    simulated,
    authorize: (
      amount: number,
      descriptor: string = MERCHANT.descriptor,
      kind: Simulated = 'authorization',
    ) => simulated(kind, { amount, currency: USD, merchant: { ...MERCHANT, descriptor } }),
    clear: (transaction: HasId, amount: number, currency?: string) =>
      simulated('clearing', {
        cardTransactionId: transaction.id,
        amount,
        ...(currency !== undefined && { currency: { code: currency } }),
      }),
    /** A clearing without authorization. */
    forcePost: (amount: number, body: object = {}) =>
      simulated('clearing', { amount, merchant: MERCHANT, ...body }),
    advise: (transaction: HasId, amount: number) =>
      simulated('authorization_advice', { cardTransactionId: transaction.id, amount }),
    creditReturn: (transaction: HasId, amount: number) =>
      simulated('return', { cardTransactionId: transaction.id, amount }),
    reverse: (transaction: HasId) =>
      simulated('return_reversal', { cardTransactionId: transaction.id }),
    read: async () => expectStatus(await api.get(`/cards/${id}`), 200),
    patch: (body: object) => api.patch(`/cards/${id}`, body),
    inquire: async (merchant: object) =>
      expectStatus(await simulate('balance_inquiry', { merchant }), 202),
    transaction: async (transaction: HasId) =>
      expectStatus(await api.get(`/transactions/${transaction.id}`), 200) as Shown<CardTransaction>,
    balances,
  }
}

export async function advance({ api }: TestPlatform, advanceSeconds: number) {
  return expectStatus(await api.post('/sandbox/clock', { advanceSeconds }), 200)
}
