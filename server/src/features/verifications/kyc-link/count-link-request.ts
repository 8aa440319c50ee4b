import { addMs, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import { failRetryLater } from '../../../kernel/errors.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { countUse, readOldestUse, type KycLink, type LinkUse } from './store.ts'

const LIMITS = { request: 60, inspection: 10 } as const
const WINDOW_MS = MINUTE_MS

type Counting = Readonly<{ tx: Tx; now: Date }>

/** Counts a request to a link. Fails: RATE_LIMITED once the last minute had sixty. */
export const countLinkRequest = (counting: Counting, link: KycLink): Promise<void> =>
  count(counting, link, 'request')

/** Counts a document that is looked at for a link. Fails: RATE_LIMITED once the last minute had ten. */
export const countLinkInspection = (counting: Counting, link: KycLink): Promise<void> =>
  count(counting, link, 'inspection')

/** By the service's own time: a sandbox whose clock is moved gets no further ones. What is refused does not count. */
async function count(
  { tx, now }: Counting,
  { platformId, id }: KycLink,
  what: LinkUse,
): Promise<void> {
  const since = addMs(now, -WINDOW_MS)
  if (await countUse(tx, platformId, { id, what, max: LIMITS[what], since, at: now })) return
  const oldest = await readOldestUse(tx, platformId, { id, what })
  failRetryLater('RATE_LIMITED', (oldest.getTime() - since.getTime()) / SECOND_MS)
}
