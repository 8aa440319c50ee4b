import { SECOND_MS, addMs } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Deps } from '../../infra/deps.ts'
import type { HttpAnswer, HttpFailure } from '../../infra/outbound/ssrf.ts'
import { holdAskedAttempt } from './store.ts'
import { dispatchEvents } from '../queue/dispatch.ts'
import { callEndpoint, droppedOutcome, endedOutcome } from './make-attempt.ts'
import { recordOutcomes } from './record-outcomes.ts'

export type Asked = Readonly<{ url: string; answer: HttpAnswer | HttpFailure }>

export type Question = Readonly<{
  /** A committed event with `sending: 'ASKED'`. */
  eventId: Id<'webhook'>
  timeoutMs: number
  /** The platform's time of the attempt. */
  at: Date
}>

/** Time for recording the outcome after the call. */
const LEASE_SLACK_MS = 30 * SECOND_MS

/**
 * Sends an event now, once, and waits for the answer, which is recorded like any attempt. Undefined without an endpoint;
 * the event is then SKIPPED. Used for the approval of incoming payments and for the test webhook.
 */
export async function askPlatform(
  deps: Deps,
  platform: Platform,
  { eventId, timeoutMs, at }: Question,
): Promise<Asked | undefined> {
  await dispatchEvents(deps)
  const leasedUntil = addMs(deps.clock.now(), timeoutMs + LEASE_SLACK_MS)
  const attempt = await holdAskedAttempt(deps.db.read, platform.id, {
    eventId,
    dueAt: at,
    leasedUntil,
    wireBrand: deps.settings.wireBrand,
  })
  const { endpoint } = attempt
  if (endpoint === undefined) {
    await recordOutcomes(deps, [droppedOutcome(attempt, 'SKIPPED')])
    return undefined
  }
  const { answer, durationMs } = await callEndpoint(deps, attempt, { url: endpoint, timeoutMs })
  await recordOutcomes(deps, [endedOutcome(attempt, { at, url: endpoint, answer, durationMs })])
  deps.wake('events')
  return { url: endpoint, answer }
}
