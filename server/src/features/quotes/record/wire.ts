import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { amountToWire, currencyToWire } from '../../../kernel/money/wire-money.ts'
import type { Static } from '../../../infra/http/schema/type.ts'
import { isWithheld } from '../../transactions/index.ts'
import { quoteStatusOf, transactionIdOf, type QuotedPayment } from './quote.ts'
import { quoteStatusAt } from './rules.ts'
import type { QuoteSchema } from './schema.ts'

export type WireQuote = Static<typeof QuoteSchema>

/** Shows the quote at `now`, EXPIRED even if the expiry job has not run yet (QUOTE-23). */
export function quoteToWire(
  { quote, transaction }: QuotedPayment,
  now: Date,
  scaChallenge?: WireQuote['scaChallenge'],
): WireQuote {
  const { sent, received, fees, platformFees, exchangeRate } = transaction
  const { paymentInstructions, rateDetails, counterpartyInformation } = transaction
  const { expiresAt } = quote
  invariant(received && fees !== null && exchangeRate !== null, 'A quote is priced.')
  return {
    id: formatId('quote', quote.id),
    status: quoteStatusAt({ status: quoteStatusOf(transaction.status), expiresAt }, now),
    createdAt: toWireTime(quote.createdAt),
    expiresAt: toWireTime(expiresAt),
    source: quote.source,
    destination: quote.destination,
    sendingCurrency: currencyToWire(sent.currency),
    receivingCurrency: currencyToWire(received.currency),
    totalSendingAmount: amountToWire(sent.amount),
    totalReceivingAmount: amountToWire(received.amount),
    exchangeRate,
    feesIncluded: amountToWire(fees),
    platformFeesIncluded: amountToWire(platformFees ?? 0n),
    ...(paymentInstructions &&
      !isWithheld(transaction) && { paymentInstructions: [...paymentInstructions] }),
    ...(scaChallenge && { scaChallenge }),
    transactionId: formatId('transaction', transactionIdOf(quote.id)),
    ...(counterpartyInformation && { counterpartyInformation }),
    ...(rateDetails && { rateDetails }),
  }
}
