import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  idField,
  listOf,
  MoneySchema,
  object,
  oneOf,
  pageQuery,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { LINE_KINDS } from './store.ts'

const ACTORS = ['PLATFORM', 'AGENT', 'CUSTOMER', 'OPERATOR', 'PROVIDER', 'SERVICE'] as const

const TimelineEventSchema = object('TimelineEvent', {
  id: idField('webhook'),
  type: Type.String(),
  deliveryStatus: oneOf(['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED']),
})

const TimelineEntrySchema = object('TimelineEntry', {
  at: timestamp("On the platform's clock; of what comes next, when it is due."),
  kind: oneOf(LINE_KINDS, {
    description:
      'ACTION: someone did it. BOOKED: money moved on an internal account. ORDER: a provider was asked for it. EVENT: a webhook event. ATTEMPT: one try to deliver it. DUE: comes next.',
  }),
  what: Type.String(),
  by: oneOf(ACTORS),
  byId: Type.Optional(Type.String()),
  why: Type.Optional(Type.String()),
  amount: Type.Optional(MoneySchema),
  accountId: Type.Optional(idField('internalAccount')),
  part: Type.Optional(oneOf(['AVAILABLE', 'HELD'])),
  status: Type.Optional(Type.String()),
  event: Type.Optional(TimelineEventSchema),
  dueAt: Type.Optional(timestamp()),
})

export type TimelineEntry = Static<typeof TimelineEntrySchema>

export const TimelineSchema = listOf('TimelineResponse', TimelineEntrySchema)

export const TimelineQuerySchema = Type.Object(pageQuery)

export type TimelineQuery = Static<typeof TimelineQuerySchema>
