import type { Id } from '../kernel/ids.ts'
import type { Tx } from '../infra/db/tx.ts'
import type { Deps } from '../infra/deps.ts'
import { workOn } from '../infra/work/in-work.ts'
import type { LaneCaller } from '../infra/work/lane-command.ts'
import type { Outbox } from '../infra/work/outbox.ts'
import type { BalanceKey } from './balances/balance-rows.ts'
import type { Book } from './book.ts'
import { internalAccountOf } from './chart.ts'

type BalanceEventsInput = Readonly<{
  batch: readonly LaneCaller[]
  keys: readonly BalanceKey[]
  outbox: Outbox
}>

/**
 * Emits the changed balances once per platform and commit, so one BALANCE_UPDATED per account with the state after all
 * commands. Starts reading the accounts at once; the returned function takes the decided book and emits.
 */
export function prepareBalanceEvents(
  deps: Deps,
  tx: Tx,
  { batch, keys, outbox }: BalanceEventsInput,
): (book: Book) => Promise<void> {
  const { promise: decided, resolve } = Promise.withResolvers<Book>()
  const emitted = Promise.all(
    latestOf(batch).map(async (command) => {
      const { id } = command.platform
      const accountIds = accountsIn(keys, id)
      if (accountIds.length === 0) return
      const balances = decided.then((book) => book.changedAccounts(id))
      const work = workOn(deps, command, { tx, outbox, effects: [] })
      await work.react('balances.changed', { accountIds, balances })
    }),
  )
  // The returned function awaits the error; a batch that fails before that has its own error.
  emitted.catch(() => undefined)
  return async (book) => {
    resolve(book)
    await emitted
  }
}

/** The latest command of each platform. */
function latestOf(batch: readonly LaneCaller[]): readonly LaneCaller[] {
  const platforms = new Map<Id<'platform'>, LaneCaller>()
  for (const command of batch) {
    const known = platforms.get(command.platform.id)
    if (!known || known.now < command.now) platforms.set(command.platform.id, command)
  }
  return [...platforms.values()]
}

function accountsIn(
  keys: readonly BalanceKey[],
  platformId: Id<'platform'>,
): Id<'internalAccount'>[] {
  const own = keys.filter((key) => key.platformId === platformId)
  return [...new Set(own.flatMap(({ account }) => internalAccountOf(account)?.id ?? []))]
}
