import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { findEndpoint, insertRedelivery } from '../../webhooks/delivery/store.ts'
import { readEvent } from './read-event.ts'
import type { EventBody } from './schema.ts'

/**
 * Enqueues one attempt to the present endpoint, with the same id and body, whatever the event's status (HOOK-44).
 * Fails: REFERENCE_NOT_FOUND, WEBHOOK_ENDPOINT_NOT_SET.
 */
export async function redeliverEvent(work: Work, id: Id<'webhook'>): Promise<EventBody> {
  const { tx, platform, now } = work
  const event = await readEvent(work, id)
  if ((await findEndpoint(tx, platform.id)) === undefined) fail('WEBHOOK_ENDPOINT_NOT_SET')
  await insertRedelivery(tx, platform.id, { eventId: id, dueAt: now })
  work.wakeWebhooks()
  return event
}
