import { randomInt } from 'node:crypto'
import { addMs, HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Work } from '../../infra/work/work.ts'
import {
  hadException,
  isContradicted,
  listOpenOfOrder,
  openException,
} from '../exceptions/store.ts'
import { isMoneyOrder, isOpen, type Order } from '../order.ts'
import {
  GAP_MS_MAX,
  hasNoAnswerForADay,
  isPastSending,
  nextAfterAsk,
  nextAfterAttempt,
  nextInGap,
  overdueAt,
  retryDelayMs,
  scheduled,
  cappedAtWindow,
} from '../schedule.ts'
import { cancelQueued } from '../reports/apply.ts'
import { withSecret } from './secret.ts'
import { readBody, saveBody, saveOrder } from '../store.ts'
import type { LockedOrder } from '../with-order.ts'
import type { ExceptionType } from '../exceptions/resolutions.ts'

/** The next call to the provider, committed before it is made. */
export type Attempt =
  | Readonly<{ what: 'send'; body: string }>
  | Readonly<{ what: 'ask' | 'cancel' }>
  /** The order has ended in the meantime, or has to wait. */
  | Readonly<{ what: 'nothing' }>

const NOTHING: Attempt = { what: 'nothing' }
const JITTER_STEPS = 1_000
const JITTER_MAX = 0.1

type AttemptInput = Readonly<{
  provider: RegisteredProvider
  /** The provider's circuit is open, and this order is not the probe (PROV-141). */
  isCircuitOpen: boolean
  /** A request sends the order, whether it is due or not. */
  isRequested?: boolean
}>

/** Decides the next call for a due order, and saves when it is due again if no answer comes. */
export async function beginAttempt(
  locked: LockedOrder,
  { provider, isCircuitOpen, isRequested = false }: AttemptInput,
): Promise<Attempt> {
  const { work, kind, order } = locked
  const { now } = work
  if (!isOpen(order.state) && order.gapSince === null) return unscheduleEnded(work, order)
  if (order.cancelNextAt !== null && order.cancelNextAt <= now) return beginCancel(work, order)
  if (!isRequested && (order.nextAt === null || order.nextAt > now)) return NOTHING
  const maySend = isRequested || !kind.isRepeatedByPlatform
  if (order.state === 'QUEUED') {
    if (!maySend) {
      // The request ended before anything was sent: the platform's next request places a new order.
      cancelQueued(work, order)
      return NOTHING
    }
    const mayGo = provider.status === 'ENABLED' && !isCircuitOpen && !order.isHeld
    return mayGo ? beginSending(locked, provider) : NOTHING
  }
  if (isOpen(order.state)) await reportUndecided(locked)
  // A provider that has reported about an order has received it, so it is asked, not sent the order again (PROV-63).
  const mayLack = order.state === 'UNKNOWN' && !order.asksFirst && order.gapSince === null
  if (mayLack && !isPastSending(order, now)) {
    // A contradicting answer is an answer, too, so the order is not sent again (PROV-44).
    const mayGo = maySend && !isCircuitOpen && !(await isContradicted(work.tx, order))
    return mayGo ? beginSending(locked, provider) : askInsteadOfSending(locked)
  }
  return beginAsking(locked)
}

/** Clears the due times of an order that ended without a gap in its reports. */
function unscheduleEnded({ tx, now }: Work, order: Order): Attempt {
  if (order.nextAt !== null || order.cancelNextAt !== null)
    saveOrder(tx, scheduled(order, now), now)
  return NOTHING
}

/** Saves the next attempt to cancel an order; attempts repeat like those of the order, until one is answered (PROV-50). */
export function beginCancel({ tx, now }: Work, order: Order): Attempt {
  const cancelAttempts = order.cancelAttempts + 1
  const cancelNextAt = addMs(now, retryDelayMs(cancelAttempts))
  const cancelAskedAt = order.cancelAskedAt ?? now
  saveOrder(tx, { ...order, cancelAskedAt, cancelAttempts, cancelNextAt }, now)
  return { what: 'cancel' }
}

/** Writes the body once and commits it before the first call, so that every attempt sends the same order. */
async function beginSending(locked: LockedOrder, provider: RegisteredProvider): Promise<Attempt> {
  const { work, order } = locked
  const { tx, now } = work
  const attempts = order.attempts + 1
  const expiresAt = order.expiresAt ?? addMs(now, provider.resendWindowSeconds * SECOND_MS)
  const sent = { attempts, lastAttemptAt: now, expiresAt }
  const jitter = traitsOf(work.platform).isPredictable ? 0 : randomInt(JITTER_STEPS) / JITTER_STEPS
  const begun: Order = {
    ...order,
    ...sent,
    state: 'UNKNOWN',
    nextAt: nextAfterAttempt(sent, jitter * JITTER_MAX),
  }
  const isWritten = order.attempts > 0
  const body = isWritten
    ? await readBody(work, order)
    : await writeBody({ ...locked, order: begun })
  saveOrder(tx, cappedAtWindow(locked.kind, begun, now), now)
  return { what: 'send', body: await withSecret(work, order, body) }
}

async function writeBody({ work, kind, order }: LockedOrder): Promise<string> {
  const { platform, settings } = work
  const { id, name } = platform
  const { money } = order
  const body = {
    id: formatId('order', order.id),
    type: order.type,
    test: false,
    createdAt: order.createdAt.toISOString(),
    executeAt: order.executeAt.toISOString(),
    expiresAt: order.expiresAt?.toISOString(),
    reportUrl: `${settings.publicUrl}/providers/${formatId('provider', order.providerId)}/reports`,
    platform: { id: formatId('platform', id), name },
    ...(order.transactionId && { transactionId: formatId('transaction', order.transactionId) }),
    ...(money && {
      amount: {
        amount: amountToWire(money.amount),
        currency: money.currency,
        decimals: currencyOf(money.currency).decimals,
      },
    }),
    ...(isMoneyOrder(order) && {
      reference: order.ownReference,
      endToEndId: order.id.replaceAll('-', ''),
    }),
    ...(await kind.body(work, order)),
  }
  const text = JSON.stringify(body)
  saveBody(work, order, text)
  return text
}

/** Asks for an order that may not be resent now, such as while the circuit is open, at the times of its attempts. */
function askInsteadOfSending({ work: { tx, now }, kind, order }: LockedOrder): Attempt {
  const asks = order.asks + 1
  const nextAt = addMs(now, retryDelayMs(order.attempts + asks))
  saveOrder(tx, cappedAtWindow(kind, { ...order, asks, nextAt }, now), now)
  return { what: 'ask' }
}

async function beginAsking({ work, kind, order }: LockedOrder): Promise<Attempt> {
  const { tx, now } = work
  const asks = order.asks + 1
  const askingSince = order.askingSince ?? now
  const regularly =
    order.state === 'UNKNOWN' ? nextAfterAsk({ asks, askingSince, now }) : addMs(now, HOUR_MS)
  const nextAt = order.gapSince === null ? regularly : nextInGap(order.gapSince, now)
  saveOrder(tx, cappedAtWindow(kind, { ...order, asks, askingSince, nextAt }, now), now)
  const exception = exceptionForDelay({ ...order, askingSince }, now)
  if (exception) await openExceptionOnce(work, order, exception)
  return { what: 'ask' }
}

/** Opens an exception, once, when no decision came within the window. The provider may still decide later. */
async function reportUndecided({ work, kind, order }: LockedOrder): Promise<void> {
  if (!kind.onUndecided || order.expiresAt === null || work.now < order.expiresAt) return
  if (await hadException(work.tx, order, 'OUTCOME_UNKNOWN')) return
  await openExceptionOnce(work, order, 'OUTCOME_UNKNOWN')
  await kind.onUndecided(work, order)
}

/** The exception that a long silence of the provider opens; asking continues. */
function exceptionForDelay(
  order: Order & { askingSince: Date },
  now: Date,
): ExceptionType | undefined {
  const { gapSince, state, askingSince } = order
  if (gapSince !== null && now.getTime() - gapSince.getTime() >= GAP_MS_MAX) return 'REPORT_GAP'
  if (state === 'UNKNOWN')
    return hasNoAnswerForADay({ askingSince, now }) ? 'OUTCOME_UNKNOWN' : undefined
  return isOpen(state) && now >= overdueAt(order) ? 'OVERDUE' : undefined
}

async function openExceptionOnce(work: Work, order: Order, type: ExceptionType): Promise<void> {
  const open = await listOpenOfOrder(work.tx, order)
  if (open.some((one) => one.type === type)) return
  const { id: orderId, providerId, state } = order
  openException(work, { type, providerId, orderId, details: { known: { state } } })
}
