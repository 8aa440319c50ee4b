import { setImmediate as nextTurn } from 'node:timers/promises'

/** A larger body may take some ten milliseconds for each step over it. */
const LARGE_BYTES = 8 * 1024

/** Between two steps over a large body the event loop gets a turn, so that other requests do not wait for all of them. */
export async function turnAfterLarge(body: Buffer): Promise<void> {
  if (body.length > LARGE_BYTES) await nextTurn()
}
