import { expectStatus, type HasId } from './api.ts'
import type { TestPlatform } from './florin.ts'

/** An address that the sandbox plays. */
export const sandboxUma = (local: string): string => `$${local}@sandbox.uma.test`

export async function umaAddressOf({ api }: TestPlatform, customerId: string): Promise<string> {
  return expectStatus(await api.get(`/customers/${customerId}`), 200).umaAddress
}

export type Arriving = Readonly<{ from?: string; amount?: number; currency?: string }> &
  Readonly<Record<string, unknown>>

/** A payment from outside to a customer's address. */
export const receiveUma = (
  { api }: TestPlatform,
  { from = 'success.usd', amount = 5_000, currency = 'USD', ...more }: Arriving,
) =>
  api.post('/sandbox/uma/receive', {
    senderUmaAddress: from.startsWith('$') ? from : sandboxUma(from),
    receivingCurrencyCode: currency,
    receivingCurrencyAmount: amount,
    ...more,
  })

export type UmaQuoteFields = Readonly<{
  from: string
  to: string
  amount?: number
  side?: 'SENDING' | 'RECEIVING'
  currency?: string
}> &
  Readonly<Record<string, unknown>>

/** A quote from an account to a UMA address. */
export const quoteUma = (
  { api }: TestPlatform,
  { from, to, amount = 10_000, side = 'SENDING', currency, ...more }: UmaQuoteFields,
) =>
  api.post('/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: {
      destinationType: 'UMA_ADDRESS',
      umaAddress: to.startsWith('$') ? to : sandboxUma(to),
      ...(currency && { currency }),
    },
    lockedCurrencySide: side,
    lockedCurrencyAmount: amount,
    ...more,
  })

export const lookUpUma = (
  { api }: TestPlatform,
  address: string,
  query: Readonly<Record<string, string>> = {},
) => api.get(`/receiver/uma/${encodeURIComponent(address)}`, { query })

export const decide = (
  { api }: TestPlatform,
  { id }: HasId,
  decision: 'approve' | 'reject',
  body: Readonly<Record<string, unknown>> = {},
) => api.post(`/transactions/${id}/${decision}`, body)
