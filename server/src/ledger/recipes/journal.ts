import { invariant } from '../../kernel/invariant.ts'
import type { Money } from '../../kernel/money/money.ts'
import type { LedgerAccount } from '../chart.ts'
import type { Journal, Posting } from '../posting.ts'

type JournalName = Pick<Journal, 'type' | 'reference'>
type JournalLines = JournalName & Readonly<{ lines: readonly Posting[] }>
type Movement = JournalName & Readonly<{ from: LedgerAccount; to: LedgerAccount; money: Money }>

/**
 * Builds a journal from a recipe's lines: lines of one account and currency become one posting, in the order of their
 * first mention, and postings of zero are left out.
 */
export function journal({ type, reference, lines }: JournalLines): Journal {
  const merged = new Map<string, Posting>()
  for (const line of lines) {
    const key = `${line.currency} ${line.account}`
    merged.set(key, { ...line, amount: (merged.get(key)?.amount ?? 0n) + line.amount })
  }
  const postings = [...merged.values()].filter((posting) => posting.amount !== 0n)
  return { type, reference, postings }
}

/** One amount from one account to another: the shape of most movements. */
export function move({ type, reference, from, to, money }: Movement): Journal {
  // A negative amount would balance as well, and silently run the movement backwards.
  invariant(money.amount > 0n, `The movement ${type} is of more than zero.`)
  const { amount, currency } = money
  return journal({
    type,
    reference,
    lines: [
      { account: from, currency, amount: -amount },
      { account: to, currency, amount },
    ],
  })
}
