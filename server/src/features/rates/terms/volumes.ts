import { toWireDate } from '../../../kernel/clock.ts'
import type { Refusal } from '../../../kernel/errors.ts'
import { INT64_MAX, type Money } from '../../../kernel/money/money.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { BatchState } from '../../../ledger/batch.ts'
import { volumeRefusal } from './limits.ts'
import type { Terms } from './read-terms.ts'
import { addVolumes, type Corridor, type VolumeRow } from './store.ts'

/** The UTC day that a debit counts in (LIM-4). */
export const volumeDayOf = (now: Date): string => toWireDate(now)

type Debit = Readonly<{ corridor: Corridor; sending: Money; terms: Terms; now: Date }>

/** What a batch adds to the days' volumes, row by row. */
const newVolumes = () => new Map<string, VolumeRow>()

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
 * Whether the day has room for this debit, beside what the batch debits before it (LIM-3): refused with
 * DAILY_VOLUME_LIMIT_EXCEEDED where not.
 */
export function checkDailyVolume(state: BatchState, debit: Debit): Refusal | undefined {
  const { sending, terms, now } = debit
  const [currency, corridor] = rowsOf(debit).map(
    (row) => state(newVolumes).get(nameOf(row))?.amount ?? 0n,
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
export function addDailyVolume(state: BatchState, debit: Debit): void {
  const volumes = state(newVolumes)
  for (const row of rowsOf(debit)) {
    const before = volumes.get(nameOf(row))?.amount ?? 0n
    volumes.set(nameOf(row), { ...row, amount: before + row.amount })
  }
}

/** Queues all that the batch counted for its commit. */
export function writeVolumes(tx: Tx, state: BatchState): void {
  const rows = [...state(newVolumes).values()]
  if (rows.length > 0) addVolumes(tx, rows)
}
