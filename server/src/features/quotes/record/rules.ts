import { isPast } from '../../../kernel/clock.ts'
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import type { OutgoingTransaction } from '../../transactions/index.ts'
import type { PaymentTerms } from '../../payment-terms/index.ts'
import type { QuoteStatus } from './machine.ts'

/** QUOTE-5: what a quote can be funded with as it arrives, over instant rails or a network. */
export const REALTIME_FUNDING_CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'MXN',
  'BRL',
  'INR',
  'SGD',
  'BTC',
  'USDC',
  'USDT',
  'USDB',
] as const

/** RATE-11: whether the market still stands by a conversion. What it cost is fixed; what has no fresh price is refused. */
export const isRateAvailable = (
  { prices }: Pick<PaymentTerms, 'prices'>,
  { sent, received }: Pick<OutgoingTransaction, 'sent' | 'received'>,
): boolean =>
  !received ||
  sent.currency === received.currency ||
  (prices.has(sent.currency) && prices.has(received.currency))

type Lifetime = Readonly<{ status: QuoteStatus; expiresAt: Date }>

/** The agent's action, if there is one, that the platform has to decide on first. */
type Waiting = Lifetime & Readonly<{ awaitedActionId?: Id<'agentAction'> | null }>

type Executable = Waiting & Readonly<{ isRealtimeFunding: boolean }>

/** QUOTE-13, QUOTE-23: a pending quote is expired from `expiresAt` on, whether or not the expiry job ran. */
export function quoteStatusAt({ status, expiresAt }: Lifetime, now: Date): QuoteStatus {
  return status === 'PENDING' && isPast({ deadline: expiresAt, now }) ? 'EXPIRED' : status
}

/**
 * QUOTE-13: whether a quote may be executed now.
 * Refuses: INVALID_INPUT (it executes when its funds arrive), QUOTE_EXPIRED, CONFLICT.
 */
export function executionRefusal(quote: Executable, now: Date): Refusal | undefined {
  if (quote.isRealtimeFunding) return refuse('INVALID_INPUT', { reason: 'REALTIME_FUNDING' })
  return statusRefusal(quote, now)
}

/**
 * Section 9.5: whether funds may be sent to a quote now.
 * Refuses: INVALID_INPUT on `quoteId` (an internal account funds it), QUOTE_EXPIRED, CONFLICT.
 */
export function fundingRefusal(
  quote: Waiting & Readonly<{ isFundedFromOutside: boolean }>,
  now: Date,
): Refusal | undefined {
  if (!quote.isFundedFromOutside) {
    const message = 'The quote is funded from an internal account; execute it instead.'
    return refuse('INVALID_INPUT', { errors: [{ field: 'quoteId', message }] })
  }
  return statusRefusal(quote, now)
}

function statusRefusal(quote: Waiting, now: Date): Refusal | undefined {
  const status = quoteStatusAt(quote, now)
  const { awaitedActionId } = quote
  if (status === 'PENDING' && awaitedActionId) {
    const actionId = formatId('agentAction', awaitedActionId)
    return refuse('CONFLICT', { quoteStatus: status, actionId })
  }
  if (status === 'PENDING') return undefined
  if (status === 'EXPIRED') return refuse('QUOTE_EXPIRED')
  return refuse('CONFLICT', { quoteStatus: status })
}
