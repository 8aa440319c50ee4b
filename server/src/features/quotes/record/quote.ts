import { parseId, type Id } from '../../../kernel/ids.ts'
import type { Rate } from '../../../kernel/money/rate.ts'
import type { LockSide } from '../../rates/index.ts'
import type { OutgoingStatus, OutgoingTransaction } from '../../transactions/index.ts'
import type { QuoteStatus } from './machine.ts'
import type { QuoteDestination, QuoteSource } from './schema.ts'

/** A locked price and its request. A quote never changes; its transaction has the state. */
export type Quote = Readonly<{
  id: Id<'quote'>
  /** As requested. */
  source: QuoteSource
  destination: QuoteDestination
  lockedSide: LockSide
  /** Exact; what is shown is rounded. */
  rate: Rate
  purposeOfPayment: string | null
  createdAt: Date
  expiresAt: Date
  /** The payer data that a UMA receiver asked for, sealed; set only while the quote is created. */
  sealedPayerData?: Buffer
}>

/** A quote with its transaction. The exact rate is needed only to create one. */
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

/** The status of a quote follows from its transaction; a quote has no REJECTED. */
export const quoteStatusOf = (status: OutgoingStatus): QuoteStatus =>
  status === 'REJECTED' ? 'FAILED' : status
