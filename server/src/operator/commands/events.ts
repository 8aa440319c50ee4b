import { fail } from '../../kernel/errors.ts'
import { formatId, mustParseId, newUuid } from '../../kernel/ids.ts'
import { PAGE_LIMIT_MAX } from '../../kernel/page.ts'
import { inWork } from '../../infra/in-work.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { listEvents, redeliverEvent } from '../../features/events/index.ts'
import { EVENT_TYPES, type EventType } from '../../webhooks/event-types.ts'
import { onlyWord, UsageError, type Command, type Given } from '../command.ts'
import { inPlatform, operatorOf } from '../in-platform.ts'
import { findPlatformOfEvent } from '../operator-store.ts'
import { limitOf } from './service.ts'

function typeOf(given: Given): EventType | undefined {
  const type = given.text('type')
  if (type !== undefined && !EVENT_TYPES.includes(type as EventType)) {
    throw new UsageError(`There is no event of type ${type}.`)
  }
  return type as EventType | undefined
}

const list: Command = {
  name: 'events list',
  about: 'What a platform was told, newest first, and whether it arrived.',
  options: {
    platform: { about: 'The platform.', value: 'ID', required: true },
    type: { about: 'Only of this type.', value: 'TYPE' },
    limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
  },
  async run(deps, given) {
    const [limit, type] = [limitOf(given), typeOf(given)]
    if (limit > PAGE_LIMIT_MAX) throw new UsageError(`--limit is at most ${PAGE_LIMIT_MAX}.`)
    const query = { limit, ...(type && { type }) }
    const id = mustParseId('platform', given.text('platform') ?? '')
    const platform = (await findPlatform(deps.db.read, id)) ?? fail('REFERENCE_NOT_FOUND')
    const caller = { platform, actor: operatorOf(deps), requestId: newUuid() }
    const { data } = await inWork(deps, caller, (work) => listEvents(work, query))
    return data.map(({ id, type, timestamp, deliveryStatus, nextAttemptAt, attempts }) => ({
      eventId: id,
      type,
      timestamp,
      deliveryStatus,
      nextAttemptAt,
      attempts: attempts.length,
      lastStatus: attempts.at(-1)?.responseStatus,
      lastError: attempts.at(-1)?.error,
    }))
  },
}

const redeliver: Command = {
  name: 'events redeliver',
  about:
    'Send an event again, with the same id, to the present endpoint; a running service does it.',
  takes: ['eventId'],
  async run(deps, given) {
    const eventId = onlyWord(given, 'eventId')
    const id = mustParseId('webhook', eventId)
    const owner = (await findPlatformOfEvent(deps.db.read, id)) ?? fail('REFERENCE_NOT_FOUND')
    const platformId = formatId('platform', owner)
    const of = { platformId, action: 'events redeliver', resource: eventId }
    const { deliveryStatus } = await inPlatform(deps, of, (work) => redeliverEvent(work, id))
    return { eventId, platformId, deliveryStatus }
  },
}

export const eventCommands: readonly Command[] = [list, redeliver]
