import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { storedInstructions, type InstructedAccount } from '../record/store.ts'
import type { FundingAddress } from './instructions.ts'

type AddressKey = Pick<FundingAddress, 'field' | 'value'>

const ADDRESS_KEY: Columns<AddressKey> = {
  field: ['text', ({ field }) => field],
  value: ['text', ({ value }) => value],
}
const ADDRESS: Columns<FundingAddress> = {
  owner_kind: ['text', ({ owner }) => owner.kind],
  owner_id: ['uuid', ({ owner }) => owner.id],
  ...ADDRESS_KEY,
}

/**
 * The values that already belong to an owner on any platform, in any case; each value is looked up by itself.
 */
export async function findTakenAddresses(
  tx: Tx,
  addresses: readonly AddressKey[],
): Promise<{ field: string; value: string }[]> {
  return tx.many(
    sql`select wanted.field, wanted.value
        from ${given('wanted', ADDRESS_KEY, addresses)}
        cross join lateral (
          select 1 from funding_addresses a
          where a.field = wanted.field and lower(a.value) = lower(wanted.value) limit 1
        ) as taken`,
  )
}

export function insertAddresses(
  tx: Tx,
  platformId: Id<'platform'>,
  addresses: readonly FundingAddress[],
): void {
  if (addresses.length === 0) return
  tx.queueWrite(
    sql`insert into funding_addresses (platform_id, owner_kind, owner_id, field, value)
        select ${platformId}, * from ${given('a', ADDRESS, addresses)}`,
  )
}

const INSTRUCTED: Columns<Readonly<{ id: Id<'internalAccount'>; stored: string }>> = {
  id: ['uuid', ({ id }) => id],
  instructions: ['jsonb', ({ stored }) => stored],
}

/** Queues the funding instructions of new accounts for the commit, after the accounts themselves. */
export function saveFundingInstructions(
  tx: Tx,
  platformId: Id<'platform'>,
  accounts: readonly InstructedAccount[],
): void {
  const rows = accounts.map((account) => ({
    id: account.id,
    stored: storedInstructions(tx, account),
  }))
  tx.queueWrite(
    sql`update internal_accounts a set funding_instructions = n.instructions
        from ${given('n', INSTRUCTED, rows)}
        where a.platform_id = ${platformId} and a.id = n.id`,
  )
}
