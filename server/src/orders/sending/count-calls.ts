import type { Id } from '../../kernel/ids.ts'
import type { Database } from '../../infra/db/database.ts'
import { recordCalls, type CallRecord } from './health.ts'

export type CountCall = (record: CallRecord) => Promise<void>

/**
 * Counts calls of this process. Those that end while others of the provider are being written go together: its row is
 * locked once for all of them.
 */
export function createCallCounter(db: Database): CountCall {
  const gathering = new Map<Id<'provider'>, CallRecord[]>()
  const written = new Map<Id<'provider'>, Promise<void>>()
  return (record) => {
    const { providerId } = record
    const before = written.get(providerId) ?? Promise.resolve()
    const gathered = gathering.get(providerId)
    if (gathered) {
      gathered.push(record)
      return before
    }
    const records = [record]
    gathering.set(providerId, records)
    const next = before
      .catch(() => undefined)
      .then(() => {
        gathering.delete(providerId)
        return db.transaction((tx) => recordCalls(tx, providerId, records))
      })
    written.set(providerId, next)
    return next
  }
}
