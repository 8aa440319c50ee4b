import { Type } from '../infra/http/schema/type.ts'
import { SECOND_MS, toWireTime } from '../kernel/clock.ts'
import { formatId } from '../kernel/ids.ts'
import { platformTime, type Platform } from '../kernel/platform.ts'
import { audit } from '../infra/work/audit.ts'
import { procedure, read, type Operation, type ProcedureContext } from '../infra/http/operation.ts'
import { reply } from '../infra/http/reply.ts'
import { object, timestamp } from '../infra/http/schema/wire-schema.ts'
import { findPlatform } from '../infra/platforms.ts'
import { findLastEvent, listEmitted } from '../features/events/index.ts'

const tag = 'Sandbox'
const YEAR_SECONDS = 31_536_000
/** The most jobs and events that an answer lists. */
const LISTED_MAX = 1_000

const clockFields = {
  now: timestamp(),
  offsetSeconds: Type.Number(),
}

const ClockSchema = object('SandboxClock', clockFields)

const AdvancedClockSchema = object('SandboxClockAdvanced', {
  ...clockFields,
  jobs: Type.Array(
    object('SandboxClockJob', {
      name: Type.String(),
      id: Type.String(),
      dueAt: timestamp(),
      outcome: Type.String(),
    }),
    {
      description: `What came due on the way, in the order in which it happened: the first ${LISTED_MAX}.`,
    },
  ),
  events: Type.Array(object('SandboxClockEvent', { id: Type.String(), type: Type.String() }), {
    description: `The events that the platform emitted meanwhile, in order: the first ${LISTED_MAX}.`,
  }),
})

const AdvanceClockSchema = object('SandboxClockAdvanceRequest', {
  advanceSeconds: Type.Integer({ minimum: 1, maximum: YEAR_SECONDS }),
})

export const clockRoutes: readonly Operation[] = [
  read({
    id: 'getSandboxClock',
    path: '/sandbox/clock',
    tag,
    needs: 'VIEW',
    summary: "Read the platform's clock",
    description:
      'The time on which everything of the platform runs, and how far it is ahead of real time.',
    replies: { 200: ClockSchema },
    handler: async ({ work }) => {
      const platform = (await findPlatform(work.tx, work.platform.id)) ?? work.platform
      const elapsedMs = platform.clockOffsetMs - work.platform.clockOffsetMs
      return reply(200, clockToWire(platform, new Date(work.now.getTime() + elapsedMs)))
    },
  }),
  procedure({
    id: 'advanceSandboxClock',
    method: 'POST',
    path: '/sandbox/clock',
    tag,
    needs: 'MANAGE',
    summary: "Move the platform's clock forward",
    description:
      'Answers when everything that came due on the way has happened, in due order: settlements, expiries, delayed failures, webhook retries. Time never goes back.',
    body: AdvanceClockSchema,
    example: { advanceSeconds: 60 },
    replies: { 200: AdvancedClockSchema },
    handler: async (context) => reply(200, await advance(context, context.body.advanceSeconds)),
  }),
]

async function advance(context: Omit<ProcedureContext, 'keep'>, seconds: number) {
  const { deps, advanceClock } = context
  const { id } = context.platform
  const before = await context.inWork(async (work) => {
    audit(work, { action: 'advanceSandboxClock' })
    return findLastEvent(work.tx, id)
  })
  const { platform, ran } = await advanceClock(seconds * SECOND_MS)
  const events = await listEmitted(deps.db.read, id, { after: before, limit: LISTED_MAX })
  return {
    ...clockToWire(platform, platformTime(platform, deps.clock.now())),
    jobs: ran
      .filter(({ kind }) => kind === 'job')
      .slice(0, LISTED_MAX)
      .map(({ name, id, dueAt, outcome }) => ({ name, id, dueAt: toWireTime(dueAt), outcome })),
    events: events.map((event) => ({ id: formatId('webhook', event.id), type: event.type })),
  }
}

const clockToWire = (platform: Platform, now: Date) => ({
  now: toWireTime(now),
  offsetSeconds: platform.clockOffsetMs / SECOND_MS,
})
