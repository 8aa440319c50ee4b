import { addMs, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { failRetryLater } from '../../kernel/errors.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { countRequest, readOldestRequest, type KycLink } from './kyc-link-store.ts'

const LIMIT = { max: 60, windowMs: MINUTE_MS } as const

/**
 * Counts a request to a link, by the service's own time: a sandbox whose clock is moved gets no further ones. What is
 * refused does not count. Fails: RATE_LIMITED once the last minute had sixty.
 */
export async function countLinkRequest(
  { tx, now }: Readonly<{ tx: Tx; now: Date }>,
  { platformId, id }: KycLink,
): Promise<void> {
  const { max, windowMs } = LIMIT
  const since = addMs(now, -windowMs)
  if (await countRequest(tx, platformId, { id, max, since, at: now })) return
  const oldest = await readOldestRequest(tx, platformId, id)
  failRetryLater('RATE_LIMITED', (oldest.getTime() - since.getTime()) / SECOND_MS)
}
