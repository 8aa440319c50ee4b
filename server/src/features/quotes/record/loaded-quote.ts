import { mapKeyOf } from '../../../infra/db/statement/resource-key.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { Payer } from '../../customers/index.ts'
import {
  endsOf,
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

/** A quote that exists, its transaction locked, with all that executing it needs. */
export type LoadedQuote = Readonly<{
  quote: StoredQuote
  payment: Payment
  /** On whose behalf the money leaves; null: the platform's. */
  payer: Payer | null
  terms: PaymentTerms
}>

export type Asked = LaneCaller & Readonly<{ input: Readonly<{ quoteId: Id<'quote'> | undefined }> }>

type Locked = Readonly<{ quote: StoredQuote; transaction: OutgoingTransaction }>

/** The quotes that some commands of any platforms are about; undefined where there is none. */
export async function loadQuotes(
  tx: Tx,
  commands: readonly Asked[],
): Promise<(LoadedQuote | undefined)[]> {
  const locked = await lockQuotes(tx, commands)
  const found = commands.map(({ platform, now, ports, input: { quoteId } }) => {
    const one = locked.get(mapKeyOf({ platformId: platform.id, id: quoteId ?? '' }))
    if (!one) return undefined
    const { sent, destination } = one.transaction
    invariant(destination.currency, 'A quote names the currency that arrives.')
    const ends = { sending: sent.currency, receiving: destination.currency }
    return { ...one, platform, now, ports, ...ends }
  })
  const [sides, terms] = await Promise.all([
    findSides(tx, sidesOf([...locked.values()])),
    loadPaymentTerms(
      tx,
      found.flatMap((one) => one ?? []),
    ),
  ])
  return found.map((one) => one && stand(one, { sides, terms: terms(one) }))
}

function stand(
  { quote, transaction }: Locked,
  { sides, terms }: Readonly<{ sides: Sides; terms: PaymentTerms }>,
): LoadedQuote {
  const { platformId } = quote
  const ends = endsOf(platformId, transaction, sides)
  const named = namedCustomerOf(quote)
  const payer = named && sides.payer({ platformId, id: named })
  const feeAccountId = (transaction.platformFees ?? 0n) > 0n ? terms.platformAccountId : undefined
  const payment = { platformId, transaction, ...ends, feeAccountId }
  return { quote, payment, payer: payer ?? ownerOfSide(ends.paying), terms }
}

async function lockQuotes(
  tx: Tx,
  commands: readonly Asked[],
): Promise<ReadonlyMap<string, Locked>> {
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

function sidesOf(locked: readonly Locked[]): WantedSides {
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
 * What was asked when the quote was made, asked again when its money moves (QUOTE-9, QUOTE-25, IACC-8, EACC-17).
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
