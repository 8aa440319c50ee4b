import { openPage } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import type { Page } from '../../kernel/page.ts'
import type { EventBody, EventListQuery } from './schema.ts'
import * as store from './store.ts'
import { eventToWire } from './wire.ts'

/** Emitted events, newest first (HOOK-43). Fails: INVALID_INPUT on a cursor of another list. */
export async function listEvents(work: Work, query: EventListQuery): Promise<Page<EventBody>> {
  const { tx, platform } = work
  const { type } = query
  // Cursors of the list `events` held positions once.
  const paging = openPage(work, { list: 'events by id', query })
  const after = paging.after?.[0]
  const events = await store.listEvents(tx, platform.id, { type, after, fetch: paging.fetch })
  return paging.page(events, {
    item: eventToWire,
    position: ({ id }) => [id],
  })
}
