import { createHash, randomBytes } from 'node:crypto'
import { base58 } from '@scure/base'
import { expectStatus, text, type HasId } from './api.ts'
import { createCustomer } from './customers.ts'
import { externalAccountBody } from './accounts/external-account-bodies.ts'
import type { TestPlatform } from './florin.ts'

/** A platform's own account in a currency. */
export async function platformAccount({ api }: TestPlatform, currency: string): Promise<string> {
  const answer = await api.get('/platform/internal-accounts', { query: { currency } })
  return text(expectStatus(answer, 200).data[0]?.id)
}

/** A customer's account in a currency. */
export async function customerAccount(
  { api }: TestPlatform,
  customerId: string,
  currency: string,
): Promise<string> {
  const answer = await api.get('/customers/internal-accounts', { query: { customerId, currency } })
  return text(expectStatus(answer, 200).data[0]?.id)
}

export type Paying = Readonly<{ platform: TestPlatform; customerId: string; account: string }>

/** A verified customer of a platform, and its USD account with money on it. */
export async function payer(
  platform: TestPlatform,
  { funded = 100_000, currency = 'USD' }: { funded?: number; currency?: string } = {},
): Promise<Paying> {
  const customerId = (await createCustomer(platform)).id
  const account = await customerAccount(platform, customerId, currency)
  if (funded > 0) await fund(platform, account, funded)
  return { platform, customerId, account }
}

export async function fund({ api }: TestPlatform, account: string, amount: number): Promise<void> {
  expectStatus(await api.post(`/sandbox/internal-accounts/${account}/fund`, { amount }), 200)
}

/** What can be spent on an internal account. */
export async function balanceOf({ api }: TestPlatform, account: string): Promise<number> {
  for (const path of ['/platform/internal-accounts', '/customers/internal-accounts'] as const) {
    let cursor: string | undefined
    do {
      const body = expectStatus(await api.get(path, { query: { cursor } }), 200)
      const found = body.data.find(({ id }) => id === account)
      if (found) return found.balance.amount
      cursor = body.nextCursor
    } while (cursor)
  }
  throw new Error(`There is no account ${account}.`)
}

const digits = (length: number): string =>
  BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString()
    .slice(0, length)

/** Identifiers of each type, distinct each time, that end as told. */
const IDENTIFIED: Readonly<Record<string, (suffix: string) => Record<string, string>>> = {
  USD_ACCOUNT: (suffix) => ({ accountNumber: `${digits(9)}${suffix}` }),
  EUR_ACCOUNT: (suffix) => ({ iban: `DE89${digits(15)}${suffix}` }),
  MXN_ACCOUNT: (suffix) => ({ clabeNumber: `${digits(15)}${suffix}` }),
  SOLANA_WALLET: (suffix) => {
    const address = base58.encode(randomBytes(32))
    return { address: suffix === '000' ? address : `${address.slice(0, -3)}${suffix}` }
  },
  SPARK_WALLET: (suffix) => ({
    address: `spark1${createHash('sha512')
      .update(digits(20))
      .digest('hex')
      .replaceAll(/[1b]/g, 'q')
      .slice(0, 58)}${suffix}`,
  }),
}

/** An external account whose identifier ends in `suffix`, which decides what becomes of payments to it. */
export async function payee(
  { api }: TestPlatform,
  accountType: string,
  {
    suffix = '000',
    customerId,
    more = {},
  }: { suffix?: string; customerId?: string; more?: Readonly<Record<string, unknown>> } = {},
): Promise<string> {
  const body = {
    ...externalAccountBody(accountType, IDENTIFIED[accountType]?.(suffix) ?? {}),
    ...more,
  }
  const path = customerId ? '/customers/external-accounts' : '/platform/external-accounts'
  const answer = await api.post(path, { ...body, ...(customerId && { customerId }) })
  return expectStatus(answer, 201).id
}

export type QuoteFields = Readonly<{
  from: string
  to: string
  amount: number
  side?: 'SENDING' | 'RECEIVING'
}> &
  Readonly<Record<string, unknown>>

/** The body of a quote between two accounts. */
export const quoteBody = ({ from, to, amount, side = 'SENDING', ...more }: QuoteFields) => ({
  source: { sourceType: 'ACCOUNT', accountId: from },
  destination: { destinationType: 'ACCOUNT', accountId: to },
  lockedCurrencySide: side,
  lockedCurrencyAmount: amount,
  ...more,
})

export const quote = ({ api }: TestPlatform, fields: QuoteFields) =>
  api.post('/quotes', quoteBody(fields))

export const execute = ({ api }: TestPlatform, { id }: HasId) => api.post(`/quotes/${id}/execute`)

export async function readQuote({ api }: TestPlatform, { id }: HasId) {
  return expectStatus(await api.get(`/quotes/${id}`), 200)
}

export async function readTransaction({ api }: TestPlatform, id: string | undefined) {
  return expectStatus(await api.get(`/transactions/${String(id)}`), 200)
}

/** The types of a resource's events, oldest first. */
export async function eventTypesOf({ api }: TestPlatform, resourceId: string): Promise<string[]> {
  const types: string[] = []
  let cursor: string | undefined
  do {
    const body = expectStatus(await api.get('/events', { query: { limit: 100, cursor } }), 200)
    for (const { type, data } of body.data) {
      if (String(data['id']) === resourceId) types.push(type)
    }
    cursor = body.nextCursor
  } while (cursor)
  return types.toReversed()
}
