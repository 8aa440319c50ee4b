import { invariant } from '../kernel/invariant.ts'
import type { LedgerAccount } from './chart.ts'

/** One line of a journal: credit is positive, debit negative, in the currency's smallest unit. */
export type Posting = Readonly<{ account: LedgerAccount; currency: string; amount: bigint }>

/**
 * One movement. `reference` names its cause (usually a transaction id); together with `type` it is unique in a
 * platform's book, so a constraint of the database keeps a step from being posted twice.
 */
export type Journal = Readonly<{ type: string; reference: string; postings: readonly Posting[] }>

/** At least two lines, and the lines of every currency sum to zero (LEDG-1). */
export function assertBalanced(journal: Journal): void {
  invariant(journal.postings.length >= 2, `journal ${journal.type} has at least two postings`)
  const sums = new Map<string, bigint>()
  for (const { currency, amount } of journal.postings) {
    sums.set(currency, (sums.get(currency) ?? 0n) + amount)
  }
  for (const [currency, sum] of sums) {
    invariant(sum === 0n, `journal ${journal.type} sums to zero in ${currency}`)
  }
}
