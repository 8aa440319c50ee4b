import { addMs, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import { failRetryLater } from '../../../kernel/errors.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { countUse, readOldestUse, type KycLink, type LinkUse } from './store.ts'

const LIMITS = { request: 60, inspection: 10 } as const
const WINDOW_MS = MINUTE_MS

type CountContext = Readonly<{ tx: Tx; now: Date }>

/** Counts a request to a link. Fails: RATE_LIMITED once the last minute had sixty. */
export const countLinkRequest = (context: CountContext, link: KycLink): Promise<void> =>
  count(context, link, 'request')

/** Counts a document inspection for a link. Fails: RATE_LIMITED once the last minute had ten. */
export const countLinkInspection = (context: CountContext, link: KycLink): Promise<void> =>
  count(context, link, 'inspection')

/** Uses real time, so that moving a sandbox clock does not reset the limit. Refused requests do not count. */
async function count(
  { tx, now }: CountContext,
  { platformId, id }: KycLink,
  what: LinkUse,
): Promise<void> {
  const since = addMs(now, -WINDOW_MS)
  if (await countUse(tx, platformId, { id, what, max: LIMITS[what], since, at: now })) return
  const oldest = await readOldestUse(tx, platformId, { id, what })
  failRetryLater('RATE_LIMITED', (oldest.getTime() - since.getTime()) / SECOND_MS)
}
