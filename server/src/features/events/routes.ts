import { Type } from '../../infra/http/schema/type.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { procedure, read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { listEvents } from './list-events.ts'
import { readEvent } from './read-event.ts'
import { redeliverEvent } from './redeliver-event.ts'
import {
  EventListQuerySchema,
  EventListSchema,
  EventSchema,
  EventStreamHeadersSchema,
  EventStreamQuerySchema,
} from './schema.ts'
import { checkStreamHeaders, streamEvents } from './stream-events.ts'

const tag = 'Webhooks'
const params = Type.Object({ eventId: pathId('Id of the event, `Webhook:<uuid>`.') })

export const routes: readonly Operation[] = [
  read({
    id: 'listEvents',
    path: '/events',
    tag,
    needs: 'VIEW',
    summary: 'List events',
    description:
      'What was emitted in the last 30 days, newest first, with their delivery attempts.',
    query: EventListQuerySchema,
    replies: { 200: EventListSchema },
    handler: async ({ work, query }) => {
      const page = await listEvents(work, query)
      return reply(200, { ...page, data: [...page.data] })
    },
  }),
  procedure({
    id: 'streamEvents',
    method: 'GET',
    path: '/events/stream',
    tag,
    needs: 'VIEW',
    summary: 'Stream events',
    description:
      'Every event from now on, or after the number given, as server-sent events: `id` is its number, `data` the body of its webhook. Nothing is left out or sent out of order; reconnect with the last number.',
    query: EventStreamQuerySchema,
    headers: EventStreamHeadersSchema,
    isStream: true,
    replies: { 200: null },
    check: checkStreamHeaders,
    handler: ({ deps, platform, headers, query }) =>
      streamEvents(deps, platform, { headers, query }),
  }),
  read({
    id: 'getEvent',
    path: '/events/{eventId}',
    tag,
    needs: 'VIEW',
    summary: 'Read an event',
    description: 'Its content and every attempt to deliver it.',
    params,
    replies: { 200: EventSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params }) =>
      reply(200, await readEvent(work, mustParseId('webhook', params.eventId))),
  }),
  write({
    id: 'redeliverEvent',
    method: 'POST',
    path: '/events/{eventId}/redeliver',
    tag,
    needs: 'MANAGE',
    summary: 'Send an event again',
    description:
      'One attempt at the present endpoint, in the background, with the same id and the same body.',
    params,
    replies: { 202: EventSchema },
    errors: ['REFERENCE_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_SET'],
    handler: async ({ work, params }) =>
      reply(202, await redeliverEvent(work, mustParseId('webhook', params.eventId))),
  }),
]
