import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../infra/db/database.ts'
import type { Id } from '../../kernel/ids.ts'
import { listCounters } from './store.ts'

const LOOK_MS = 200

type Waiter = Readonly<{
  platformId: Id<'platform'>
  after: bigint
  end(lastNumber?: bigint): void
  fail(error: unknown): void
}>

type Watch = { readonly waiters: Set<Waiter>; isLooking: boolean }

/** The readers of a process that wait; one statement looks for all of them while there are any. */
const watches = new WeakMap<Database, Watch>()

/** The platform's last number once it is beyond this one; undefined when the time is over or the signal aborted. */
export function awaitNumber(
  db: Database,
  { platformId, after }: Pick<Waiter, 'platformId' | 'after'>,
  { signal, withinMs }: Readonly<{ signal: AbortSignal; withinMs: number }>,
): Promise<bigint | undefined> {
  const watch: Watch = watches.get(db) ?? { waiters: new Set(), isLooking: false }
  watches.set(db, watch)
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      watch.waiters.delete(waiter)
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
    const waiter: Waiter = {
      platformId,
      after,
      end(lastNumber) {
        leave()
        resolve(lastNumber)
      },
      fail(error) {
        leave()
        reject(error as Error)
      },
    }
    const giveUp = (): void => waiter.end()
    const timer = setTimeout(giveUp, withinMs)
    signal.addEventListener('abort', giveUp)
    watch.waiters.add(waiter)
    if (signal.aborted) giveUp()
    else if (!watch.isLooking) void look(db, watch)
  })
}

async function look(db: Database, watch: Watch): Promise<void> {
  watch.isLooking = true
  while (watch.waiters.size > 0) {
    const waiters = [...watch.waiters]
    try {
      const platformIds = [...new Set(waiters.map(({ platformId }) => platformId))]
      const counters = await listCounters(db.read, platformIds)
      const last = new Map(counters.map((one) => [one.platformId, one.lastSequence]))
      for (const { platformId, after, end } of waiters) {
        const lastNumber = last.get(platformId) ?? 0n
        if (lastNumber > after) end(lastNumber)
      }
    } catch (error) {
      for (const { fail } of waiters) fail(error)
    }
    if (watch.waiters.size > 0) await delay(LOOK_MS)
  }
  watch.isLooking = false
}
