import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { IncomingFailureReason } from '../../../kernel/failure-reasons.ts'
import type { Payment } from '../../payments/index.ts'
import { quoteStatusOf } from '../record/quote.ts'
import { fundingRefusal } from '../record/rules.ts'
import { loadQuotes } from '../record/loaded-quote.ts'

/** A quote that takes no funds any more, and what is to be said of those that came for it. */
export type LateFunds = Readonly<{ payment: Payment; reason: IncomingFailureReason }>

/**
 * QUOTE-19: looks, under the quote's lock, whether funds that have come for it are too late or come a second time.
 * Undefined where they may be handed to it. `isOwnCurrency` is false where they are not even of its currency.
 */
export async function findLateFunds(
  work: Work,
  { quoteId, currency }: Readonly<{ quoteId: Id<'quote'>; currency: string }>,
): Promise<Readonly<{ isOwnCurrency: boolean; late: LateFunds | undefined }>> {
  const { tx, now } = work
  const caller = { ...work, action: 'deposits receive' }
  const [loaded] = await loadQuotes(tx, [{ ...caller, input: { quoteId } }])
  const isOwnCurrency = loaded?.payment.transaction.sent.currency === currency
  if (!loaded || !isOwnCurrency) return { isOwnCurrency: false, late: undefined }
  const { quote, payment } = loaded
  const status = quoteStatusOf(payment.transaction.status)
  const refusal = fundingRefusal(
    { status, expiresAt: quote.expiresAt, isFundedFromOutside: true },
    now,
  )
  if (!refusal) return { isOwnCurrency, late: undefined }
  const reason = refusal.code === 'QUOTE_EXPIRED' ? 'QUOTE_EXPIRED' : 'QUOTE_EXECUTION_FAILED'
  return { isOwnCurrency, late: { payment, reason } }
}
