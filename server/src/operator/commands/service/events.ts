import { Type } from '../../../infra/http/schema/type.ts'
import { ANY_ROLE } from '../../../kernel/access/operator.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId, mustParseId, parseId } from '../../../kernel/ids.ts'
import { PAGE_LIMIT_MAX } from '../../../kernel/page.ts'
import type { Deps } from '../../../infra/deps.ts'
import { readEvent, redeliverEvent, EventSchema } from '../../../features/events/index.ts'
import { EVENT_TYPES, type EventType } from '../../../webhooks/event-types.ts'
import { defineCommand, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import {
  listEventLines,
  UNDELIVERED_STATUSES,
  type EventLine,
  type UndeliveredStatus,
} from '../../queries/event-store.ts'
import { PERIOD_OPTIONS, periodOf, limitOf } from '../../queries/list-filters.ts'
import { findPlatformOfEvent } from '../../queries/operator-store.ts'
import { shownPlatforms, visibleOwner } from '../../access/visible-platforms.ts'

const place = { eventId: idField('webhook'), platformId: idField('platform') }

const LineSchema = record({
  ...place,
  type: Type.String(),
  timestamp: timestamp(),
  deliveryStatus: Type.String(),
  nextAttemptAt: Type.Optional(timestamp()),
  attempts: Type.Integer(),
  lastStatus: Type.Optional(Type.Integer()),
  lastError: Type.Optional(Type.String()),
})

const { id: _, ...event } = EventSchema.properties

function typeOf(input: Input): EventType | undefined {
  const type = input.option('type')
  if (type !== undefined && !EVENT_TYPES.includes(type as EventType)) {
    throw new UsageError(`There is no event of type ${type}.`)
  }
  return type as EventType | undefined
}

function statusOf(input: Input): UndeliveredStatus | undefined {
  const text = input.option('status')
  const status = UNDELIVERED_STATUSES.find((one) => one === text)
  if (text !== undefined && !status) {
    throw new UsageError(`--status is one of ${UNDELIVERED_STATUSES.join(', ')}.`)
  }
  return status
}

function beforeOf(input: Input): string | null {
  const text = input.option('before')
  const id = text === undefined ? null : parseId('webhook', text)
  if (id === undefined) throw new UsageError('--before is the id of an event.')
  return id
}

const toShown = (line: EventLine) => ({
  eventId: formatId('webhook', line.id),
  platformId: formatId('platform', line.platformId),
  type: line.type,
  timestamp: toWireTime(line.at),
  deliveryStatus: line.status,
  ...(line.status === 'PENDING' && { nextAttemptAt: toWireTime(line.nextAttemptAt ?? line.at) }),
  attempts: line.attempts,
  ...(line.lastStatus !== null && { lastStatus: line.lastStatus }),
  ...(line.lastError !== null && { lastError: line.lastError }),
})

const list = defineCommand({
  name: 'events list',
  access: { roles: ANY_ROLE },
  about: 'What platforms were told, newest first, and whether it arrived.',
  options: {
    platform: { about: 'Only what this platform was told.', value: 'ID' },
    type: { about: 'Only of this type.', value: 'TYPE' },
    status: {
      about: 'Only FAILED ones, which were given up, or PENDING ones, which wait for an attempt.',
      value: 'STATUS',
    },
    ...PERIOD_OPTIONS,
    before: { about: 'Only what is older than this event.', value: 'EVENT_ID' },
    limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
  },
  answers: Type.Array(LineSchema),
  async run(deps, input) {
    const [limit, type] = [limitOf(input), typeOf(input) ?? null]
    if (limit > PAGE_LIMIT_MAX) throw new UsageError(`--limit is at most ${PAGE_LIMIT_MAX}.`)
    const filters = {
      platformIds: shownPlatforms(deps, input),
      type,
      status: statusOf(input),
      period: periodOf(input),
      limit,
    }
    return (await listEventLines(deps.db.read, { ...filters, before: beforeOf(input) })).map(
      toShown,
    )
  },
})

/** The event, and the platform that it belongs to. */
async function placeOf(deps: Deps, input: Input) {
  const eventId = onlyArg(input, 'eventId')
  const id = mustParseId('webhook', eventId)
  const owner =
    (await visibleOwner(deps, findPlatformOfEvent(deps.db.read, id))) ?? fail('REFERENCE_NOT_FOUND')
  return { id, eventId, owner, platformId: formatId('platform', owner) }
}

const show = defineCommand({
  name: 'events show',
  access: { roles: ANY_ROLE },
  about: 'One event with its body and every attempt to deliver it.',
  takes: ['eventId'],
  answers: record({ ...place, ...event }),
  async run(deps, input) {
    const { id, owner, platformId } = await placeOf(deps, input)
    const { id: eventId, ...event } = await readInPlatform(deps, owner, (work) =>
      readEvent(work, id),
    )
    return { eventId, platformId, ...event }
  },
})

const redeliver = defineCommand({
  name: 'events redeliver',
  access: { roles: ['ADMIN', 'DEVELOPER'], writes: true },
  about:
    'Send an event again, with the same id, to the present endpoint; a running service does it.',
  takes: ['eventId'],
  answers: record({ ...place, deliveryStatus: Type.String() }),
  async run(deps, input) {
    const { id, eventId, platformId } = await placeOf(deps, input)
    const of = { platformId, action: 'events redeliver', resource: eventId }
    const { deliveryStatus } = await inPlatform(deps, of, (work) => redeliverEvent(work, id))
    return { eventId, platformId, deliveryStatus }
  },
})

export const eventCommands = { list, show, redeliver }
