import { parseId, type Id } from '../../../kernel/ids.ts'
import type { Rate } from '../../../kernel/money/rate.ts'
import type { LockSide } from '../../rates/index.ts'
import type { OutgoingStatus, OutgoingTransaction } from '../../transactions/index.ts'
import type { QuoteStatus } from './machine.ts'
import type { QuoteDestination, QuoteSource } from './schema.ts'

/** A price, and what was asked for. It never changes; what became of it is its transaction's to say. */
export type Quote = Readonly<{
  id: Id<'quote'>
  /** As it was asked for. */
  source: QuoteSource
  destination: QuoteDestination
  lockedSide: LockSide
  /** Exact; what is shown is rounded. */
  rate: Rate
  purposeOfPayment: string | null
  createdAt: Date
  expiresAt: Date
  /** What a UMA receiver asked to know of the payer, sealed; only as the quote is made. */
  sealedPayerData?: Buffer
}>

/** A quote beside its transaction. The exact rate is needed only to make one. */
export type QuotedPayment = Readonly<{
  quote: Omit<Quote, 'rate'>
  transaction: OutgoingTransaction
}>

/** A quote and its transaction share their uuid. */
export const transactionIdOf = (id: Id<'quote'>): Id<'transaction'> =>
  id as string as Id<'transaction'>

export const quoteIdOf = (id: Id<'transaction'>): Id<'quote'> => id as string as Id<'quote'>

/** The customer on whose behalf the source pays, where it names one. */
export const namedCustomerOf = ({ source }: Pick<Quote, 'source'>): Id<'customer'> | undefined =>
  source.customerId === undefined ? undefined : parseId('customer', source.customerId)

/** A quote follows its transaction, and has no REJECTED of its own. */
export const quoteStatusOf = (status: OutgoingStatus): QuoteStatus =>
  status === 'REJECTED' ? 'FAILED' : status
