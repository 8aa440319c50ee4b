import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import type { EventBody } from './schema.ts'
import { findEvent } from './store.ts'
import { eventToWire } from './wire.ts'

/** An event of this platform with its attempts. Fails: REFERENCE_NOT_FOUND. */
export async function readEvent(work: Work, id: Id<'webhook'>): Promise<EventBody> {
  const event = await findEvent(work.tx, work.platform.id, id)
  return event ? eventToWire(event) : failNotFound('webhook')
}
