import type { BalanceKey, BalanceRow } from './balance-rows.ts'

/** A batch's hold on what is remembered: the balances, where all are known, and the end of the hold. */
export type Lease = Readonly<{
  rows: readonly BalanceRow[] | undefined
  /** With the balances as the commit left them; without, where there was none. */
  end(rows?: readonly BalanceRow[]): void
}>

export type BalanceMemory = Readonly<{
  lease(keys: readonly BalanceKey[]): Lease
  /** What was remembered was wrong: somebody else moves the same balances, so they are locked first for a while. */
  distrust(): void
}>

const KNOWN_MAX = 50_000
/** How many batches go by before what is remembered is tried again. */
const DISTRUSTED_BATCHES = 200

const nameOf = ({ platformId, account, currency }: BalanceKey): string =>
  `${platformId}|${account}|${currency}`

/**
 * Balances as this process's last commits left them, so that a batch may be decided without asking for them first. It
 * is a guess, which the batch proves under the lock before it writes anything (holdAsKnown). What a running batch
 * holds is known to nobody else: two that touch one balance would only disappoint each other.
 */
export function createBalanceMemory(): BalanceMemory {
  const known = new Map<string, BalanceRow>()
  const holders = new Map<string, number>()
  let distrusted = 0

  const letGo = (name: string): boolean => {
    const others = (holders.get(name) ?? 1) - 1
    if (others === 0) holders.delete(name)
    else holders.set(name, others)
    return others === 0
  }
  return {
    lease(keys) {
      const names = keys.map(nameOf)
      const rows = names.flatMap((name) => known.get(name) ?? [])
      for (const name of names) {
        known.delete(name)
        holders.set(name, (holders.get(name) ?? 0) + 1)
      }
      const isTrusted = distrusted === 0
      if (!isTrusted) distrusted -= 1
      const isKnown = isTrusted && rows.length > 0 && rows.length === names.length
      return {
        rows: isKnown ? rows : undefined,
        end(left = []) {
          const free = new Set(names.filter(letGo))
          if (known.size > KNOWN_MAX) known.clear()
          for (const row of left) if (free.has(nameOf(row))) known.set(nameOf(row), row)
        },
      }
    },
    distrust() {
      known.clear()
      distrusted = DISTRUSTED_BATCHES
    },
  }
}
