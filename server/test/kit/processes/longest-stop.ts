const TRIES = 2

/**
 * For how many milliseconds one turn of the event loop of this process worked at most while something ran, so long nobody
 * else was served. It is processor time of the thread: what another program on the machine takes away is not counted. A
 * second try is made where the first is not below `limitMs`, since a large collection of garbage may fall into either.
 */
export async function longestStop(limitMs: number, run: () => Promise<void>): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < TRIES && least >= limitMs; tries += 1) {
    const turns = watchTurns()
    await run()
    least = Math.min(least, turns.longestMs())
  }
  return least
}

/** Measures every turn of the event loop until it is asked. */
function watchTurns() {
  let longestMs = 0
  let before = processorMs()
  const end = (): void => {
    const now = processorMs()
    longestMs = Math.max(longestMs, now - before)
    before = now
  }
  const endTurn = (): void => {
    end()
    turn = setImmediate(endTurn)
  }
  let turn = setImmediate(endTurn)
  return {
    longestMs(): number {
      clearImmediate(turn)
      end()
      return longestMs
    },
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
