import type { Work } from '../infra/work.ts'
import type { BalanceKey } from './balance-rows.ts'
import { newBatchState } from './batch.ts'
import type { Book } from './book.ts'
import type { LaneKind } from './lane.ts'
import { postWith } from './post.ts'

/** What else happens to the same balances in the same step. */
export type Beside = Readonly<{ keys: readonly BalanceKey[]; apply(book: Book): void }>

export type WorkCommand<Input> = Readonly<{ input: Input; action: string; beside?: Beside }>

/**
 * One command of the lane's as a step of an ordinary Work, for whoever has more to write with it: the operator's
 * command, which has no lane. What is beside it happens first. Fails as the command does; nothing is posted then.
 */
export async function commandInWork<Input, Loaded, Row>(
  work: Work,
  kind: LaneKind<Input, Loaded, Row>,
  { input, action, beside }: WorkCommand<Input>,
): Promise<Row> {
  const { tx, platform, actor, now, requestId, clientRequestId, outbox } = work
  const caller = { platform, actor, now, requestId, clientRequestId, action }
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
