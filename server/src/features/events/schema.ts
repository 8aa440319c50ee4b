import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  idField,
  listOf,
  named,
  object,
  oneOf,
  pageQuery,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { EVENT_TYPES } from '../../webhooks/event-types.ts'
import { ATTEMPTS_SHOWN } from './store.ts'

const EventTypeSchema = named('EventType', oneOf(EVENT_TYPES))

const EventAttemptSchema = object('EventAttempt', {
  at: timestamp("On the platform's clock."),
  url: Type.String(),
  responseStatus: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.String()),
  durationMs: Type.Integer(),
})

export const EventSchema = object('Event', {
  id: idField('webhook', 'The same in every delivery.'),
  type: EventTypeSchema,
  timestamp: timestamp(),
  data: Type.Object({}, { additionalProperties: true }),
  deliveryStatus: oneOf(['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED']),
  nextAttemptAt: Type.Optional(timestamp('Only while PENDING.')),
  attempts: Type.Array(EventAttemptSchema, {
    description: `Oldest first; of more than ${ATTEMPTS_SHOWN} the newest.`,
  }),
})

export type EventBody = Static<typeof EventSchema>

export const EventListSchema = listOf('EventListResponse', EventSchema)

export const EventListQuerySchema = Type.Object({
  type: Type.Optional(EventTypeSchema),
  ...pageQuery,
})

/** Of an event in a stream. */
export const NUMBER_PATTERN = '^(?:0|[1-9][0-9]{0,17})$'

export const EventStreamQuerySchema = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: NUMBER_PATTERN,
      description: 'The number of the last event that was read; 0 begins with the oldest one kept.',
    }),
  ),
})

export const EventStreamHeadersSchema = Type.Object({
  'Last-Event-ID': Type.Optional(
    Type.String({
      pattern: NUMBER_PATTERN,
      description:
        'Number of the last event that was read, as browsers send it when they reconnect; goes before `after`.',
    }),
  ),
})

export type EventStreamQuery = Static<typeof EventStreamQuerySchema>

export type EventListQuery = Static<typeof EventListQuerySchema>
