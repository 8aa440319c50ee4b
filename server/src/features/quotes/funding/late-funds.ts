import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { IncomingFailureReason } from '../../../kernel/failure-reasons.ts'
import type { Payment } from '../../payments/index.ts'
import { quoteStatusOf } from '../record/quote.ts'
import { fundingRefusal } from '../record/rules.ts'
import { loadQuotes } from '../record/loaded-quote.ts'

/** A quote that takes no more funds, and the failure reason of funds that came for it. */
export type LateFunds = Readonly<{ payment: Payment; reason: IncomingFailureReason }>

/**
 * Decides, under the quote's lock, whether funds for it come too late or a second time (QUOTE-19). `late` is undefined
 * where the quote may take them; `isOwnCurrency` is false where they are in another currency.
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
