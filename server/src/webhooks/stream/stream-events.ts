import type { Deps } from '../../infra/deps.ts'
import { brandedText } from '../../infra/settings/wire-brand.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { awaitNumber } from './await-number.ts'
import { listNumbered, type NumberedEvent } from './store.ts'

const PAGE_SIZE = 50
/** Shows reader and proxies that the connection lives. */
const HEARTBEAT_MS = 15 * SECOND_MS
/** When a reader comes back after the end of a stream. */
const RETRY = `retry: ${SECOND_MS}\n`

/**
 * Every event of the platform after a number, in order, until the signal is aborted. A reader that has got no event yet
 * learns the number where its stream began, so that it can resume from there (HOOK-100, HOOK-101).
 */
export async function* streamEvents(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  {
    platformId,
    after,
    heartbeatMs = HEARTBEAT_MS,
  }: Readonly<{ platformId: Id<'platform'>; after: bigint; heartbeatMs?: number }>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield `${RETRY}id: ${after}\n\n`
  let position = after
  let lastNumber = after
  while (!signal.aborted) {
    const page = await listNumbered(db.read, platformId, { after: position, limit: PAGE_SIZE })
    if (page.length > 0) {
      yield page.map((event) => frameOf(event, settings.wireBrand)).join('')
      position = page.at(-1)?.sequence ?? position
      continue
    }
    // Not every number is of a streamed event: an event from before the first stream gets one when it is sent again.
    if (lastNumber > position) position = lastNumber
    const waited = { signal, withinMs: heartbeatMs }
    const found = await awaitNumber(db, { platformId, after: position }, waited)
    if (found !== undefined) lastNumber = found
    else if (!signal.aborted) yield ':\n\n'
  }
  yield `${RETRY}\n`
}

/** The body is JSON and so has no line breaks. */
const frameOf = ({ sequence, body }: NumberedEvent, brand: string): string =>
  `id: ${sequence}\ndata: ${brandedText(body, brand)}\n\n`
