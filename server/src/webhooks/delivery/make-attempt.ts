import { randomInt } from 'node:crypto'
import type { Deps } from '../../infra/deps.ts'
import type { HttpAnswer, HttpFailure, OutgoingRequest } from '../../infra/outbound/ssrf.ts'
import { answerAttributes, resumeSpan, type SpanStart } from '../../infra/logging/tracing/tracer.ts'
import { brandedText } from '../../infra/settings/wire-brand.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { TIMEOUT_MARK, type HeldAttempt } from './store.ts'
import { isDelivered, judgeAttempt } from './judge-attempt.ts'
import type { Dropped, Ended, Outcome } from './record-outcomes.ts'
import { nextAttemptAt } from './retry-delay.ts'
import { signEvent } from '../signing/sign-event.ts'

/** A receiver without an answer by then has failed the attempt (HOOK-8). */
export const ATTEMPT_TIMEOUT_MS = 30 * SECOND_MS
const ANSWER_BYTES_MAX = 64 * 1024
const JITTER_STEPS = 1_000

/**
 * Makes a due attempt, or drops it where it is obsolete. `at` is the platform's time; within a jump of the clock, `hungUrls`
 * holds the addresses that have timed out (HOOK-30).
 */
export async function makeAttempt(
  deps: Deps,
  attempt: HeldAttempt,
  { at, hungUrls }: { at: Date; hungUrls?: Set<string> | undefined },
): Promise<Outcome> {
  const { endpoint, status, sending, eventAt } = attempt
  const verdict = judgeAttempt({
    status,
    sending,
    eventAt,
    isRedelivery: attempt.number === undefined,
    hasEndpoint: endpoint !== undefined,
    hasHung: endpoint !== undefined && (hungUrls?.has(endpoint) ?? false),
    now: at,
  })
  if (verdict.kind === 'DROP' || endpoint === undefined) {
    return droppedOutcome(attempt, verdict.kind === 'DROP' ? verdict.becomes : undefined)
  }
  if (verdict.kind === 'NOT_SENT') {
    const answer = { ok: false, kind: 'not-sent', message: NOT_SENT } as const
    return endedOutcome(attempt, { at, url: endpoint, answer, durationMs: 0 })
  }
  const { answer, durationMs } = await callEndpoint(deps, attempt, {
    url: endpoint,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    isBodyIgnored: true,
    // A second delivery is harmless, because the id lets the receiver detect it.
    isRepeatable: sending === 'RETRIED' && attempt.number !== undefined,
  })
  if (!answer.ok && answer.kind === 'timeout') hungUrls?.add(endpoint)
  return endedOutcome(attempt, { at, url: endpoint, answer, durationMs })
}

const NOT_SENT = 'An earlier attempt at this address timed out while the clock was moved.'

export type Called = Readonly<{ answer: HttpAnswer | HttpFailure; durationMs: number }>

/** Every call is signed with the current key and carries no credentials (HOOK-2, HOOK-24). */
export function callEndpoint(
  deps: Deps,
  attempt: HeldAttempt,
  call: EndpointCall,
): Promise<Called> {
  const { platform, eventId } = attempt
  const carried = { platformId: platform.id, id: eventId }
  const start = () => spanOf(attempt, call)
  return resumeSpan(deps.tracer, carried, start, async (span) => {
    const called = await postEvent(deps, attempt, call)
    span?.set(answerAttributes(called.answer))
    return called
  })
}

/** Without the path of the address, which may hold a secret of the platform. */
const spanOf = ({ eventId, number }: HeldAttempt, { url }: EndpointCall): SpanStart => ({
  name: 'webhook attempt',
  kind: 'client',
  attributes: {
    'server.address': URL.parse(url)?.host,
    'florin.event_id': formatId('webhook', eventId),
    'florin.attempt': number,
  },
})

type EndpointCall = Pick<OutgoingRequest, 'url' | 'timeoutMs' | 'isRepeatable' | 'isBodyIgnored'>

async function postEvent(
  { outgoing, settings, keyring, clock }: Deps,
  attempt: HeldAttempt,
  call: EndpointCall,
): Promise<Called> {
  const { platform, sealedKey } = attempt
  const body = brandedText(attempt.body, attempt.wireBrand)
  const signature = signEvent(keyring, { platformId: platform.id, sealedKey, body })
  const startMs = clock.now().getTime()
  const answer = await outgoing[platform.environment].fetch({
    ...call,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      [`X-${settings.wireBrand}-Signature`]: signature,
      'User-Agent': 'florin-webhooks/1',
    },
    body,
    bodyBytesMax: ANSWER_BYTES_MAX,
  })
  return { answer, durationMs: Math.max(0, clock.now().getTime() - startMs) }
}

const ofAttempt = ({ platform, eventId, attemptId, resourceId }: HeldAttempt) => ({
  platformId: platform.id,
  eventId,
  attemptId,
  resourceId,
})

export function droppedOutcome(attempt: HeldAttempt, becomes: Dropped['becomes']): Dropped {
  return { kind: 'DROPPED', ...ofAttempt(attempt), becomes }
}

type Failure = Readonly<{ ok: false; kind: HttpFailure['kind'] | 'not-sent'; message: string }>

export function endedOutcome(
  attempt: HeldAttempt,
  ended: Readonly<{ at: Date; url: string; answer: HttpAnswer | Failure; durationMs: number }>,
): Ended {
  const { at, url, answer, durationMs } = ended
  const delivered = answer.ok && isDelivered(answer.status)
  return {
    kind: 'ENDED',
    ...ofAttempt(attempt),
    number: attempt.number,
    at,
    url,
    responseStatus: answer.ok ? answer.status : undefined,
    error: answer.ok ? undefined : errorText(answer),
    durationMs,
    isDelivered: delivered,
    retryAt: delivered ? undefined : retryAt(attempt, at),
    wireBrand: attempt.wireBrand,
  }
}

const errorText = ({ kind, message }: Failure): string =>
  kind === 'timeout' ? `${TIMEOUT_MARK}${message}` : `${kind}: ${message}`

function retryAt({ number, eventAt, sending, platform }: HeldAttempt, at: Date): Date | undefined {
  if (number === undefined || sending !== 'RETRIED') return undefined
  const jitter = traitsOf(platform).isPredictable ? 0 : randomInt(JITTER_STEPS) / JITTER_STEPS
  return nextAttemptAt({ number, at, eventAt, jitter })
}
