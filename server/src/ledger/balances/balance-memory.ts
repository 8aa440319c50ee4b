import type { BalanceRow } from './balance-rows.ts'

/** Keyed by the names of the balances (nameOf). */
type Rows = ReadonlyMap<string, BalanceRow>

/** A batch's lease of remembered balances; `rows` only where all are known. */
export type Lease = Readonly<{
  rows: Rows | undefined
  /** Publishes the balances after the commit, once they are locked, so that the next batch can be decided on them. */
  publishPending(rows: Rows): void
  end(isCommitted: boolean): void
}>

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
 * For how many batches the memory is not used: two steps more after each stale balance, one less after each commit. A
 * process that shares its accounts with another one ends up locking first.
 */
const DOUBTS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const STEPS_WHEN_WRONG = 2

/**
 * Balances as this process's last batches leave them, so that a batch may be decided without asking for them first. It
 * is a guess, which the batch proves under the lock before it writes anything (lockIfUnchanged). Batches that touch one
 * balance follow one another in the order of their leases: the next is decided on what the one before it will leave,
 * while that is still being written, and waits for it under the lock. If that one fails, the guess is wrong.
 */
export function createBalanceMemory(): BalanceMemory {
  const known = new Map<string, BalanceRow>()
  /** Per balance: when the batch that leased it last has published it or ended. */
  const latest = new Map<string, Promise<void>>()
  let doubt = 0
  let distrusted = 0

  const takeRows = (names: readonly string[]): Rows => {
    const rows = new Map<string, BalanceRow>()
    for (const name of names) {
      const row = known.get(name)
      if (row) rows.set(name, row)
      known.delete(name)
    }
    return rows
  }
  const isTrusted = (): boolean => {
    if (distrusted === 0) return true
    distrusted -= 1
    return false
  }
  return {
    async lease(names, { locksFirst } = { locksFirst: false }) {
      const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
      const before = new Set(names.flatMap((name) => latest.get(name) ?? []))
      for (const name of names) latest.set(name, settled)
      if (before.size > 0) await Promise.all(before)
      const found = takeRows(names)
      const isKnown = found.size > 0 && found.size === names.length
      const rows = !locksFirst && isTrusted() && isKnown ? found : undefined
      let published: Rows = new Map()
      return {
        rows,
        publishPending(left) {
          if (known.size > KNOWN_MAX) known.clear()
          for (const [name, row] of left) known.set(name, row)
          published = left
          settle()
        },
        end(isCommitted) {
          if (!isCommitted) {
            for (const [name, row] of published) if (known.get(name) === row) known.delete(name)
          } else if (rows && doubt > 0) doubt -= 1
          for (const name of names) if (latest.get(name) === settled) latest.delete(name)
          settle()
        },
      }
    },
    invalidate() {
      distrusted = DOUBTS[doubt] ?? 0
      if (doubt + STEPS_WHEN_WRONG < DOUBTS.length) doubt += STEPS_WHEN_WRONG
    },
  }
}
