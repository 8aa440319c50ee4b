import { setImmediate as nextTurn } from 'node:timers/promises'

/** What is done with so little takes a few milliseconds, also where it is a hundred records of two bytes. */
const PIECE_BYTES = 256
const TURN_MS = 5

/** The same bytes in small pieces, with a turn for everything else on the event loop between them. */
export async function* inTurns(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let since = performance.now()
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES)
      if (performance.now() - since < TURN_MS) continue
      await nextTurn()
      since = performance.now()
    }
  }
}
