import { addMs } from '../../kernel/clock.ts'
import type { Sending } from '../../infra/work/outbox-events.ts'
import { DELIVERY_LIMIT_MS } from './retry-delay.ts'

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED' | 'SKIPPED'

export type DueAttempt = Readonly<{
  status: DeliveryStatus
  sending: Sending
  isRedelivery: boolean
  hasEndpoint: boolean
  /** An attempt at the endpoint has timed out within this jump of the clock. */
  hasHung: boolean
  eventAt: Date
  now: Date
}>

/** `NOT_SENT` counts as failed; `DROP` was no attempt at all. */
export type Verdict =
  | Readonly<{ kind: 'SEND' | 'NOT_SENT' }>
  | Readonly<{ kind: 'DROP'; becomes?: 'FAILED' | 'SKIPPED' }>

/** Decides on a due attempt by the state of its event now. */
export function judgeAttempt(attempt: DueAttempt): Verdict {
  const { status, sending, isRedelivery, hasEndpoint, hasHung, eventAt, now } = attempt
  if (!isRedelivery && status !== 'PENDING') return { kind: 'DROP' }
  if (!hasEndpoint) return isRedelivery ? { kind: 'DROP' } : { kind: 'DROP', becomes: 'SKIPPED' }
  // The process that asked has died, so no process waits for the answer.
  if (!isRedelivery && sending === 'ASKED') return { kind: 'DROP', becomes: 'FAILED' }
  const isTooLate = now > addMs(eventAt, DELIVERY_LIMIT_MS)
  if (!isRedelivery && isTooLate) return { kind: 'DROP', becomes: 'FAILED' }
  return { kind: hasHung ? 'NOT_SENT' : 'SEND' }
}

/** Any 2xx, and 409, which says "already processed" (HOOK-8, HOOK-10). */
export function isDelivered(responseStatus: number): boolean {
  return (responseStatus >= 200 && responseStatus < 300) || responseStatus === 409
}
