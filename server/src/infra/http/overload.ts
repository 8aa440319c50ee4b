import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../kernel/clock.ts'
import { failRetryLater } from '../../kernel/errors.ts'
import { hasBody, takesForm } from './request-body.ts'

export type Overload = Readonly<{
  /** Fails with SERVICE_UNAVAILABLE where the request would wait too long; else counts it until it is answered. */
  mustHaveRoom(request: FastifyRequest, reply: FastifyReply): void
}>

/** A request that would wait longer is refused at once, so that those that are accepted do not. */
const WAIT_MS_MAX = 2 * SECOND_MS
/** Fewer than these are never a queue: some operations wait for others, as for a bank or an issuer. */
const IN_FLIGHT_MIN = 256
const WINDOW_MS = SECOND_MS
/** Answers per second that are assumed until they are measured, when many requests come at once. */
const FIRST_RATE = 1_000

/**
 * Estimates how long a new request waits, by Little's law: requests in flight, divided by the answers per second of
 * the last one to two seconds. A body that is still coming is not in flight: it waits for its sender.
 */
export function watchOverload(app: FastifyInstance): Overload {
  const load = createLoad()
  app.addHook('preHandler', async (request, reply) => {
    if (hasBody(request) && !takesForm(request)) begin(reply)
  })
  return {
    mustHaveRoom(request, reply) {
      const waitMs = load.waitMs(performance.now())
      if (waitMs > WAIT_MS_MAX) failRetryLater('SERVICE_UNAVAILABLE', waitMs / SECOND_MS)
      if (!hasBody(request)) begin(reply)
    },
  }

  function begin({ raw }: FastifyReply): void {
    load.begin(performance.now())
    raw.once('close', () => load.end(performance.now(), { isAnswered: raw.writableFinished }))
  }
}

const RETRY_MS_MAX = 30 * SECOND_MS

/** Counts what is in flight and how fast it is answered; the time is the caller's. */
export function createLoad() {
  let inFlight = 0
  let crowdedSince = 0
  let window = { since: 0, answered: 0 }
  let before = window

  const turn = (now: number): void => {
    if (now - window.since < WINDOW_MS) return
    before = window
    window = { since: now, answered: 0 }
  }

  return {
    begin(now: number): void {
      inFlight += 1
      // With fewer in flight the rate says how much is asked for, not how much can be answered.
      if (inFlight !== IN_FLIGHT_MIN) return
      crowdedSince = now
      window = { since: now, answered: 0 }
      before = window
    },
    end(now: number, { isAnswered }: Readonly<{ isAnswered: boolean }>): void {
      inFlight -= 1
      turn(now)
      if (isAnswered) window.answered += 1
    },
    /** What a request that comes now has to wait, at most half a minute; 0 where there is no queue to speak of. */
    waitMs(now: number): number {
      if (inFlight < IN_FLIGHT_MIN) return 0
      turn(now)
      const answered = window.answered + (before === window ? 0 : before.answered)
      const perMs = answered / Math.max(1, now - before.since)
      const isMeasured = now - crowdedSince >= WINDOW_MS
      const rate = isMeasured ? perMs : Math.max(perMs, FIRST_RATE / SECOND_MS)
      return Math.min(RETRY_MS_MAX, inFlight / rate)
    },
  }
}
