import { isPast } from '../../../kernel/clock.ts'
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import type { OutgoingTransaction } from '../../transactions/index.ts'
import type { PaymentTerms } from '../../payment-terms/index.ts'
import type { QuoteStatus } from './machine.ts'

/** Currencies that have an instant rail or a network, so that funds can arrive just in time (QUOTE-5). */
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

/** Whether both currencies still have a current price; the quote keeps its own price (RATE-11). */
export const isRateAvailable = (
  { prices }: Pick<PaymentTerms, 'prices'>,
  { sent, received }: Pick<OutgoingTransaction, 'sent' | 'received'>,
): boolean =>
  !received ||
  sent.currency === received.currency ||
  (prices.has(sent.currency) && prices.has(received.currency))

type Lifetime = Readonly<{ status: QuoteStatus; expiresAt: Date }>

/** `awaitedActionId` is an agent's action on which the platform has to decide first. */
type Waiting = Lifetime & Readonly<{ awaitedActionId?: Id<'agentAction'> | null }>

type Executable = Waiting & Readonly<{ isRealtimeFunding: boolean }>

/** A pending quote is expired from `expiresAt` on, whether or not the expiry job has run (QUOTE-13, QUOTE-23). */
export function quoteStatusAt({ status, expiresAt }: Lifetime, now: Date): QuoteStatus {
  return status === 'PENDING' && isPast({ deadline: expiresAt, now }) ? 'EXPIRED' : status
}

/**
 * Whether a quote may be executed now (QUOTE-13).
 * Refuses: INVALID_INPUT (it executes when its funds arrive), QUOTE_EXPIRED, CONFLICT.
 */
export function executionRefusal(quote: Executable, now: Date): Refusal | undefined {
  if (quote.isRealtimeFunding) return refuse('INVALID_INPUT', { reason: 'REALTIME_FUNDING' })
  return statusRefusal(quote, now)
}

/**
 * Whether funds may be sent to a quote now.
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
