import type { Deps } from '../deps.ts'
import type { Tx } from '../db/tx.ts'

type Wake = Parameters<Deps['wake']>[0]

/**
 * Runs `body` with dependencies whose transactions all take part in one, which is committed at its end. What each of
 * them would commit by itself is there together or not at all; the background is woken after the commit.
 */
export async function inOneTransaction<T>(
  deps: Deps,
  body: (joined: Deps, tx: Tx) => Promise<T>,
): Promise<T> {
  const woken = new Set<Wake>()
  const result = await deps.db.transaction(async (tx) => {
    woken.clear()
    const db: Deps['db'] = {
      ...deps.db,
      // Reads have to find what was written before them.
      read: tx,
      async transaction(inner) {
        const answer = await inner(tx)
        await tx.flush()
        return answer
      },
    }
    return body({ ...deps, db, wake: (what) => void woken.add(what) }, tx)
  })
  woken.forEach((what) => deps.wake(what))
  return result
}
