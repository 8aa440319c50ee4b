import { toWireDate } from '../../../kernel/clock.ts'
import { refusalToError } from '../../../kernel/errors.ts'
import { INT64_MAX, type Money } from '../../../kernel/money.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { batchState } from '../../../ledger/batch-state.ts'
import type { Book } from '../../../ledger/book.ts'
import { volumeRefusal } from './limits.ts'
import type { Terms } from './read-terms.ts'
import { addVolumes, type Corridor, type VolumeRow } from '../prices/store.ts'

/** LIM-4: the UTC day that a debit counts in. */
export const volumeDayOf = (now: Date): string => toWireDate(now)

type Debit = Readonly<{ corridor: Corridor; sending: Money; terms: Terms; now: Date }>

/** What this batch adds to the days' volumes, row by row. */
const added = batchState(() => new Map<string, VolumeRow>())

const nameOf = ({ platformId, currency, receivingCurrency, day }: VolumeRow): string =>
  `${platformId} ${currency} ${receivingCurrency} ${day}`

function rowsOf({ corridor, sending, terms }: Debit): readonly [VolumeRow, VolumeRow] {
  const { platformId, sending: currency, receiving, day } = corridor
  const { currencyVolumeMax, corridorVolumeMax = INT64_MAX } = terms.limits
  const row = { platformId, currency, day, amount: sending.amount }
  return [
    { ...row, receivingCurrency: '', ceiling: currencyVolumeMax },
    { ...row, receivingCurrency: receiving, ceiling: corridorVolumeMax },
  ]
}

/**
 * LIM-3: whether the day has room for this debit, beside what the batch debits before it.
 * Fails: DAILY_VOLUME_LIMIT_EXCEEDED.
 */
export function checkDailyVolume(book: Book, debit: Debit): void {
  const refusal = volumeRefusalOf(book, debit)
  if (refusal) throw refusalToError(refusal)
}

export function volumeRefusalOf(book: Book, debit: Debit): ReturnType<typeof volumeRefusal> {
  const { sending, terms, now } = debit
  const [currency, corridor] = rowsOf(debit).map(
    (row) => added(book).get(nameOf(row))?.amount ?? 0n,
  )
  const { spent, limits } = terms
  return volumeRefusal({
    sending,
    limits,
    now,
    spent: {
      currency: spent.currency + (currency ?? 0n),
      corridor: spent.corridor + (corridor ?? 0n),
    },
  })
}

/** Counts a debit that was made. */
export function addDailyVolume(book: Book, debit: Debit): void {
  const volumes = added(book)
  for (const row of rowsOf(debit)) {
    const before = volumes.get(nameOf(row))?.amount ?? 0n
    volumes.set(nameOf(row), { ...row, amount: before + row.amount })
  }
}

/** Queues all that the batch counted for its commit. */
export function writeVolumes(tx: Tx, book: Book): void {
  const rows = [...added(book).values()]
  if (rows.length > 0) addVolumes(tx, rows)
}
