import { mapKeyOf } from '../../../infra/db/statement/resource-key.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { Payer } from '../../customers/index.ts'
import {
  bothSidesOf,
  findSides,
  loadPaymentTerms,
  mustBeReceivable,
  mustBeUsable,
  mustPassGates,
  ownerOfSide,
  wantedSidesOf,
  type PaymentTerms,
  type Sides,
  type WantedSides,
} from '../../payment-terms/index.ts'
import { lockTransactions, type OutgoingTransaction } from '../../transactions/index.ts'
import type { Payment } from '../../payments/index.ts'
import { namedCustomerOf, transactionIdOf } from './quote.ts'
import { listQuotes, type StoredQuote } from './store.ts'

/** A stored quote whose transaction is locked, with everything that its execution needs. */
export type LoadedQuote = Readonly<{
  quote: StoredQuote
  payment: Payment
  /** The customer who pays; null for the platform. */
  payer: Payer | null
  terms: PaymentTerms
}>

export type QuoteReference = LaneCaller &
  Readonly<{ input: Readonly<{ quoteId: Id<'quote'> | undefined }> }>

type LockedQuote = Readonly<{ quote: StoredQuote; transaction: OutgoingTransaction }>

/** Loads and locks the quotes that the commands of a batch name; undefined where there is none. */
export async function loadQuotes(
  tx: Tx,
  commands: readonly QuoteReference[],
): Promise<(LoadedQuote | undefined)[]> {
  const locked = await lockQuotes(tx, commands)
  const found = commands.map(({ platform, now, ports, input: { quoteId } }) => {
    const one = locked.get(mapKeyOf({ platformId: platform.id, id: quoteId ?? '' }))
    if (!one) return undefined
    const { sent, destination } = one.transaction
    invariant(destination.currency, 'A quote names the currency that arrives.')
    const currencies = { sending: sent.currency, receiving: destination.currency }
    return { ...one, platform, now, ports, ...currencies }
  })
  const [sides, terms] = await Promise.all([
    findSides(tx, wantedSides([...locked.values()])),
    loadPaymentTerms(
      tx,
      found.flatMap((one) => one ?? []),
    ),
  ])
  return found.map((one) => one && toLoadedQuote(one, { sides, terms: terms(one) }))
}

function toLoadedQuote(
  { quote, transaction }: LockedQuote,
  { sides, terms }: Readonly<{ sides: Sides; terms: PaymentTerms }>,
): LoadedQuote {
  const { platformId } = quote
  const both = bothSidesOf(platformId, transaction, sides)
  const named = namedCustomerOf(quote)
  const payer = named && sides.payer({ platformId, id: named })
  const feeAccountId = (transaction.platformFees ?? 0n) > 0n ? terms.platformAccountId : undefined
  const payment = { platformId, transaction, ...both, feeAccountId }
  return { quote, payment, payer: payer ?? ownerOfSide(both.paying), terms }
}

async function lockQuotes(
  tx: Tx,
  commands: readonly QuoteReference[],
): Promise<ReadonlyMap<string, LockedQuote>> {
  const keys = new Map(
    commands.flatMap(({ platform, input: { quoteId: id } }) => {
      const key = id && { platformId: platform.id, id }
      return key ? [[mapKeyOf(key), key] as const] : []
    }),
  )
  if (keys.size === 0) return new Map()
  const [quotes, transactions] = await Promise.all([
    listQuotes(tx, [...keys.values()]),
    lockTransactions(
      tx,
      [...keys.values()].map(({ platformId, id }) => ({ platformId, id: transactionIdOf(id) })),
    ),
  ])
  const byName = new Map(transactions.map((transaction) => [mapKeyOf(transaction), transaction]))
  return new Map(
    quotes.flatMap((quote) => {
      const transaction = byName.get(mapKeyOf(quote))
      return transaction?.type === 'OUTGOING'
        ? [[mapKeyOf(quote), { quote, transaction }] as const]
        : []
    }),
  )
}

function wantedSides(locked: readonly LockedQuote[]): WantedSides {
  const wanted = locked.map(({ quote, transaction }) =>
    wantedSidesOf(quote.platformId, transaction),
  )
  const named = locked.flatMap(({ quote }) => {
    const id = namedCustomerOf(quote)
    return id ? [{ platformId: quote.platformId, id }] : []
  })
  return {
    internal: wanted.flatMap(({ internal }) => internal),
    external: wanted.flatMap(({ external }) => external),
    payers: [...wanted.flatMap(({ payers }) => payers), ...named],
  }
}

/**
 * Repeats the checks of the quote's creation when its money moves (QUOTE-9, QUOTE-25, IACC-8, EACC-17).
 * Fails: as mustPassGates, mustBeReceivable and mustBeUsable do.
 */
export function mustStillBePayable(
  platform: Platform,
  { payment, payer, terms }: LoadedQuote,
): void {
  const { received } = payment.transaction
  mustPassGates(platform, { ...payment, payer })
  mustBeReceivable(payment, terms)
  if (received) mustBeUsable(payment, { received, prices: terms.prices })
}
