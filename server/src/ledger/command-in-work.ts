import type { Work } from '../infra/work/work.ts'
import type { BalanceKey } from './balances/balance-rows.ts'
import { newBatchState } from './batch.ts'
import type { Book } from './book.ts'
import type { LaneKind } from './lane.ts'
import { postWith } from './post.ts'

/** Further journals on the same balances in the same step. */
export type ExtraJournals = Readonly<{ keys: readonly BalanceKey[]; apply(book: Book): void }>

export type WorkCommand<Input> = Readonly<{ input: Input; action: string; beside?: ExtraJournals }>

/**
 * Runs one lane command inside an ordinary Work, for callers that write more in the same transaction, such as an
 * operator's command. The extra journals come first. Fails as the command does, without posting anything.
 */
export async function commandInWork<Input, Loaded, Row>(
  work: Work,
  kind: LaneKind<Input, Loaded, Row>,
  { input, action, beside }: WorkCommand<Input>,
): Promise<Row> {
  const { tx, outbox } = work
  const caller = { ...work, action }
  const [loaded] = await kind.load(tx, [{ ...caller, input }])
  const keys = [...kind.keys(caller, input, loaded as Loaded), ...(beside?.keys ?? [])]
  return postWith(work, keys, (book) => {
    beside?.apply(book)
    const state = newBatchState()
    const batch = { book, state }
    const { row } = kind.decide({ ...caller, outbox }, input, loaded as Loaded, batch)
    kind.save(tx, [row])
    kind.saveTogether?.(tx, state)
    return row
  })
}
