import { setImmediate as nextTurn } from 'node:timers/promises'

/** Each step over a larger body may take some ten milliseconds. */
const LARGE_BYTES = 8 * 1024

/** Yields to the event loop between two steps over a large body, so that other requests do not wait for all steps. */
export async function turnAfterLarge(body: Buffer): Promise<void> {
  if (body.length > LARGE_BYTES) await nextTurn()
}
