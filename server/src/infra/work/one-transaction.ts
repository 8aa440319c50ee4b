import type { Database } from '../db/database.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { Deps } from '../deps.ts'

/** Keeps what trails to itself, so that nothing of it is left where its savepoint is rolled back. */
function withOwnTrail(tx: Tx): Tx {
  let queue: Parameters<Tx['trail']>[] = []
  return {
    ...tx,
    trail: (...queued) => void queue.push(queued),
    async flush() {
      const asked = queue.map(async ([query, heard]) => {
        const count = await tx.run(query)
        heard?.ran?.()
        heard?.counted?.(count)
      })
      queue = []
      await Promise.all(asked)
    },
  }
}

/**
 * A Database whose transactions take part in one that is open: each is a savepoint of it, so that one that fails leaves
 * nothing. Reads find what was written before them.
 */
const joining = (db: Database, tx: Tx, effects: (() => void)[]): Database => ({
  ...db,
  read: tx,
  async transaction(body) {
    const kept = effects.length
    const own = withOwnTrail(tx)
    try {
      // Not waited for: it travels with the first statement of the body.
      const [, result] = await Promise.all([tx.run(sql`savepoint joined`), body(own)])
      await Promise.all([own.flush(), tx.run(sql`release savepoint joined`)])
      return result
    } catch (error) {
      effects.length = kept
      await tx.run(sql`rollback to savepoint joined`)
      throw error
    }
  },
  afterCommit: (effect) => void effects.push(effect),
})

/**
 * Runs `body` with dependencies whose transactions all take part in one, which is committed at its end. What each of
 * them would commit by itself is there together or not at all; what they keep for after the commit waits for it.
 */
export async function inOneTransaction<T>(
  deps: Deps,
  body: (joined: Deps, tx: Tx) => Promise<T>,
): Promise<T> {
  let effects: (() => void)[] = []
  let isRefreshed = false
  const result = await deps.db.transaction(async (tx) => {
    effects = []
    isRefreshed = false
    // Registrations are read again once what changed them is committed.
    const refresh = async (): Promise<void> => void (isRefreshed = true)
    const db = joining(deps.db, tx, effects)
    return body({ ...deps, db, providers: { ...deps.providers, refresh } }, tx)
  })
  for (const effect of effects) deps.db.afterCommit(effect)
  if (isRefreshed) await deps.providers.refresh()
  return result
}
