import { failRetryLater } from '../../../kernel/errors.ts'
import type { Database } from '../../db/database.ts'
import type { Deps } from '../../deps.ts'

const held = new WeakMap<Database, number>()

/**
 * Runs `body`, which holds a connection while its steps take further ones. Only half of the pool may be held, since
 * otherwise all would wait for each other's connections. Fails: SERVICE_UNAVAILABLE.
 */
export async function whileHoldingConnection<T>(
  { db, settings }: Deps,
  body: () => Promise<T>,
): Promise<T> {
  const count = held.get(db) ?? 0
  if (count >= settings.databasePoolSize / 2) failRetryLater('SERVICE_UNAVAILABLE', 1)
  held.set(db, count + 1)
  try {
    return await body()
  } finally {
    held.set(db, (held.get(db) ?? 1) - 1)
  }
}
