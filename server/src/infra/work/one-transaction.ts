import type { Database } from '../db/database.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { Deps } from '../deps.ts'

/** A Tx with its own queue of writes, so that none of them remains when its savepoint is rolled back. */
function withOwnQueue(tx: Tx): Tx {
  let queue: Parameters<Tx['queueWrite']>[] = []
  return {
    ...tx,
    queueWrite: (...queued) => void queue.push(queued),
    async flush() {
      const writes = queue.map(async ([query, callbacks]) => {
        const count = await tx.run(query)
        callbacks?.onRun?.()
        callbacks?.onCount?.(count)
      })
      queue = []
      await Promise.all(writes)
    },
  }
}

/**
 * A Database whose transactions are savepoints of one open transaction, so that one that fails leaves nothing. Reads see
 * earlier writes of that transaction.
 */
const joinedDatabase = (db: Database, tx: Tx, effects: (() => void)[]): Database => ({
  ...db,
  read: tx,
  async transaction(body) {
    const kept = effects.length
    const own = withOwnQueue(tx)
    try {
      // Not awaited, so that it is sent together with the first statement of the body.
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
 * Runs `body` with dependencies whose transactions all become parts of one, which is committed at the end, as a whole or
 * not at all. Effects for after the commit run then.
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
    // Registrations are read again after the commit.
    const refresh = async (): Promise<void> => void (isRefreshed = true)
    const db = joinedDatabase(deps.db, tx, effects)
    return body({ ...deps, db, providers: { ...deps.providers, refresh } }, tx)
  })
  for (const effect of effects) deps.db.afterCommit(effect)
  if (isRefreshed) await deps.providers.refresh()
  return result
}
