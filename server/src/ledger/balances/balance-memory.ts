import type { BalanceRow } from './balance-rows.ts'

/** Keyed by the names of the balances (nameOf). */
type Rows = ReadonlyMap<string, BalanceRow>

/** A batch's lease of remembered balances; `rows` only where all are known. */
export type Lease = Readonly<{
  rows: Rows | undefined
  /** Resolves once the batches before hold the locks of these balances, or have ended; undefined where that is so already. */
  turn: Promise<unknown> | undefined
  /** Publishes the balances as they will be after the commit, so that the next batch can be decided. */
  publishPending(rows: Rows): void
  /** The balances are locked in the database: the next batch that locks them waits for the commit. */
  locked(): void
  end(outcome: LeaseOutcome): void
}>
export type LeaseOutcome = 'committed' | 'failed'

export type BalanceMemory = Readonly<{
  /**
   * Waits for earlier batches on one of these balances, until they have published it or ended. A batch that locks first
   * gets no rows.
   */
  lease(names: readonly string[], options?: Readonly<{ locksFirst: boolean }>): Promise<Lease>
  /** A remembered balance was stale: another process moves the same balances, so they are locked first for a while. */
  invalidate(): void
}>

const KNOWN_MAX = 50_000
/**
 * The number of batches that do not use the memory after a stale balance. Each stale balance moves two entries on, each
 * commit one back, so a process that shares its accounts with another one ends up locking first.
 */
const SKIPPED_BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const STEPS_PER_STALE_BALANCE = 2

/** How far a batch is that leased balances. */
type Progress = Readonly<{ published: Promise<void>; locked: Promise<void>; isLocked(): boolean }>

/**
 * Balances as this process's last batches leave them, so that a batch can be decided without reading them first. They
 * are a guess, which the batch verifies under the lock before it posts (lockIfUnchanged). Batches on one balance follow
 * one another in the order of their leases: the next is decided on the pending balance of the one before, and locks it
 * after that one. If the one before fails, the guess is wrong.
 */
export function createBalanceMemory(): BalanceMemory {
  const known = new Map<string, BalanceRow>()
  /** Per balance: the batch that leased it last. */
  const latest = new Map<string, Progress>()
  let skipStep = 0
  let batchesToSkip = 0

  const takeRows = (names: readonly string[]): Rows => {
    const rows = new Map<string, BalanceRow>()
    for (const name of names) {
      const row = known.get(name)
      if (row) rows.set(name, row)
      known.delete(name)
    }
    return rows
  }
  const countSkippedBatch = (): boolean => {
    if (batchesToSkip === 0) return false
    batchesToSkip -= 1
    return true
  }
  return {
    async lease(names, { locksFirst } = { locksFirst: false }) {
      const { promise: published, resolve: publish } = Promise.withResolvers<void>()
      const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
      let isLocked = false
      const own: Progress = { published, locked, isLocked: () => isLocked }
      const before = new Set(names.flatMap((name) => latest.get(name) ?? []))
      for (const name of names) latest.set(name, own)
      if (before.size > 0) await Promise.all([...before].map((one) => one.published))
      const waitsFor = [...before].filter((one) => !one.isLocked())
      const found = takeRows(names)
      const isKnown = found.size > 0 && found.size === names.length
      const rows = !locksFirst && !countSkippedBatch() && isKnown ? found : undefined
      let pending: Rows = new Map()
      const setLocked = (): void => {
        isLocked = true
        lock()
      }
      return {
        rows,
        turn: waitsFor.length > 0 ? Promise.all(waitsFor.map((one) => one.locked)) : undefined,
        publishPending(left) {
          if (known.size > KNOWN_MAX) known.clear()
          for (const [name, row] of left) known.set(name, row)
          pending = left
          publish()
        },
        locked: setLocked,
        end(outcome) {
          if (outcome === 'failed') {
            for (const [name, row] of pending) if (known.get(name) === row) known.delete(name)
          } else if (rows && skipStep > 0) skipStep -= 1
          for (const name of names) if (latest.get(name) === own) latest.delete(name)
          publish()
          setLocked()
        },
      }
    },
    invalidate() {
      batchesToSkip = SKIPPED_BATCHES[skipStep] ?? 0
      const next = skipStep + STEPS_PER_STALE_BALANCE
      if (next < SKIPPED_BATCHES.length) skipStep = next
    },
  }
}
