import { openPage } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import { fail } from '../../kernel/errors.ts'
import { parseAnyId } from '../../kernel/ids.ts'
import type { Page } from '../../kernel/page.ts'
import type { TimelineEntry, TimelineQuery } from './schema.ts'
import { isOwned } from './store.ts'
import { comparePlaces, placeOf, timelineOf } from './timeline.ts'
import { entryToWire, isShown } from './wire.ts'

/**
 * The timeline of a thing of the platform, oldest first. Fails: REFERENCE_NOT_FOUND on an id that is malformed, unknown or
 * another platform's; INVALID_INPUT on a cursor of another list.
 */
export async function readTimeline(
  work: Work,
  resourceId: string,
  query: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  const paging = openPage(work, { list: 'timeline', query, narrowedTo: { resourceId } })
  const resource = parseAnyId(resourceId)
  if (!resource || !(await isOwned(work.tx, work.platform.id, resource)))
    return fail('REFERENCE_NOT_FOUND')
  const { after, fetch } = paging
  const rows = (await timelineOf(work, resource)).filter(
    (row) => isShown(row) && (!after || comparePlaces(after, placeOf(row)) < 0),
  )
  return paging.page(rows.slice(0, fetch), { item: entryToWire, position: placeOf })
}
