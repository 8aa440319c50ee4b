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
  isAskedInVain,
  isPastSending,
  nextAfterAsk,
  nextAfterAttempt,
  nextInGap,
  overdueAt,
  retryDelayMs,
  scheduled,
  withinWindow,
} from '../schedule.ts'
import { endQueued } from '../reports/apply.ts'
import { withSecret } from './secret.ts'
import { readBody, saveBody, saveOrder } from '../store.ts'
import type { LockedOrder } from '../with-order.ts'
import type { ExceptionType } from '../exceptions/resolutions.ts'

/** What is about to be called, decided and committed before it is. */
export type Attempt =
  | Readonly<{ what: 'send'; body: string }>
  | Readonly<{ what: 'ask' | 'cancel' }>
  /** The order has ended meanwhile, or has to wait. */
  | Readonly<{ what: 'nothing' }>

const NOTHING: Attempt = { what: 'nothing' }
const JITTER_STEPS = 1_000
const JITTER_MAX = 0.1

type Circumstances = Readonly<{
  provider: RegisteredProvider
  /** The provider is known not to answer, and this order is not the one that tries (PROV-141). */
  isCircuitOpen: boolean
  /** A request sends it, whether it is due or not. */
  isRequested?: boolean
}>

/** Decides what is called for an order that is due, and when it is due again if nothing is heard. */
export async function beginAttempt(
  locked: LockedOrder,
  { provider, isCircuitOpen, isRequested = false }: Circumstances,
): Promise<Attempt> {
  const { work, kind, order } = locked
  const { now } = work
  if (!isOpen(order.state) && order.gapSince === null) return leaveEnded(work, order)
  if (order.cancelNextAt !== null && order.cancelNextAt <= now) return beginCancel(work, order)
  if (!isRequested && (order.nextAt === null || order.nextAt > now)) return NOTHING
  const maySend = isRequested || !kind.isRepeatedByPlatform
  if (order.state === 'QUEUED') {
    if (!maySend) return leaveToPlatform(locked)
    const mayGo = provider.status === 'ENABLED' && !isCircuitOpen && !order.isHeld
    return mayGo ? beginSending(locked, provider) : NOTHING
  }
  if (isOpen(order.state)) await endWindow(locked)
  // A provider that reports an order has it: it is asked for what is missing, and not sent the order again (PROV-63).
  const mayLack = order.state === 'UNKNOWN' && !order.asksFirst && order.gapSince === null
  if (mayLack && !isPastSending(order, now)) {
    // An answer that contradicts the order is an answer, too: it is not sent again (PROV-44).
    const mayGo = maySend && !isCircuitOpen && !(await isContradicted(work.tx, order))
    return mayGo ? beginSending(locked, provider) : askInstead(locked)
  }
  return beginAsking(locked)
}

/** Nothing is asked about it any more, so it is not due either, whatever made it due. */
function leaveEnded({ tx, now }: Work, order: Order): Attempt {
  if (order.nextAt !== null || order.cancelNextAt !== null)
    saveOrder(tx, scheduled(order, now), now)
  return NOTHING
}

/** The request ended before anything was sent: the platform's next one places another. */
function leaveToPlatform({ work, order }: LockedOrder): Attempt {
  endQueued(work, order)
  return NOTHING
}

/** A request to call an order back is repeated like the order itself, until it is answered (PROV-50). */
export function beginCancel({ tx, now }: Work, order: Order): Attempt {
  const cancelAttempts = order.cancelAttempts + 1
  const cancelNextAt = addMs(now, retryDelayMs(cancelAttempts))
  const cancelAskedAt = order.cancelAskedAt ?? now
  saveOrder(tx, { ...order, cancelAskedAt, cancelAttempts, cancelNextAt }, now)
  return { what: 'cancel' }
}

/** The body is written once, and committed before the first call: whatever happens then, it is the same order. */
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
  saveOrder(tx, withinWindow(locked.kind, begun, now), now)
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

/** What is not sent again, as while the circuit is open, is asked for at the times of its attempts. */
function askInstead({ work: { tx, now }, kind, order }: LockedOrder): Attempt {
  const asks = order.asks + 1
  const nextAt = addMs(now, retryDelayMs(order.attempts + asks))
  saveOrder(tx, withinWindow(kind, { ...order, asks, nextAt }, now), now)
  return { what: 'ask' }
}

async function beginAsking({ work, kind, order }: LockedOrder): Promise<Attempt> {
  const { tx, now } = work
  const asks = order.asks + 1
  const askingSince = order.askingSince ?? now
  const regularly =
    order.state === 'UNKNOWN' ? nextAfterAsk({ asks, askingSince, now }) : addMs(now, HOUR_MS)
  const nextAt = order.gapSince === null ? regularly : nextInGap(order.gapSince, now)
  saveOrder(tx, withinWindow(kind, { ...order, asks, askingSince, nextAt }, now), now)
  const found = lateAs({ ...order, askingSince }, now)
  if (found) await openOnce(work, order, found)
  return { what: 'ask' }
}

/** Says once that no decision came in time. The order goes on: the provider's word still counts. */
async function endWindow({ work, kind, order }: LockedOrder): Promise<void> {
  if (!kind.undecided || order.expiresAt === null || work.now < order.expiresAt) return
  if (await hadException(work.tx, order, 'OUTCOME_UNKNOWN')) return
  await openOnce(work, order, 'OUTCOME_UNKNOWN')
  await kind.undecided(work, order)
}

/** What an operator has to look into, while we go on asking. */
function lateAs(order: Order & { askingSince: Date }, now: Date): ExceptionType | undefined {
  const { gapSince, state, askingSince } = order
  if (gapSince !== null && now.getTime() - gapSince.getTime() >= GAP_MS_MAX) return 'REPORT_GAP'
  if (state === 'UNKNOWN')
    return isAskedInVain({ askingSince, now }) ? 'OUTCOME_UNKNOWN' : undefined
  return isOpen(state) && now >= overdueAt(order) ? 'OVERDUE' : undefined
}

async function openOnce(work: Work, order: Order, type: ExceptionType): Promise<void> {
  const open = await listOpenOfOrder(work.tx, order)
  if (open.some((one) => one.type === type)) return
  const { id: orderId, providerId, state } = order
  openException(work, { type, providerId, orderId, details: { known: { state } } })
}
