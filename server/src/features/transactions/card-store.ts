import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { CardEntry } from './row.ts'

export type CardEntryRow = Readonly<{
  platformId: Id<'platform'>
  entry: CardEntry
  /** What the list finds it by as an account's (CTXN-2). */
  accountIdentifier: string
}>

const toRow = ({ platformId, entry, accountIdentifier }: CardEntryRow) => ({
  platform_id: platformId,
  id: entry.id,
  type: entry.type,
  status: entry.status,
  customer_id: entry.customerId,
  platform_customer_id: entry.platformCustomerId,
  source_identifier: accountIdentifier,
  card_id: entry.cardId,
  card_details: entry.details,
  created_at: entry.createdAt,
  updated_at: entry.updatedAt,
})

const COLUMNS = sql`platform_id, id, type, status, customer_id, platform_customer_id, source_identifier, card_id,
  card_details, created_at, updated_at`

/** Queues new entries, of any platforms, for the commit. */
export function insertCardEntries(tx: Tx, rows: readonly CardEntryRow[]): void {
  tx.trail(
    sql`insert into transactions (${COLUMNS})
        select ${COLUMNS} from json_populate_recordset(null::transactions, ${sql.json(rows.map(toRow))}::json)`,
  )
}

/** Queues the new look of an entry; whoever writes it holds the lock of the card transaction behind it. */
export function saveCardEntry(tx: Tx, { platformId, entry }: CardEntryRow): void {
  tx.trail(
    sql`update transactions set status = ${entry.status}, card_details = ${sql.json(entry.details)}::jsonb,
          updated_at = ${entry.updatedAt}
        where platform_id = ${platformId} and id = ${entry.id}`,
  )
}

/** Whether the platform has this card. */
export async function isCard(tx: Tx, platformId: Id<'platform'>, id: Id<'card'>): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(
    sql`select exists (select 1 from cards where platform_id = ${platformId} and id = ${id}) as found`,
  )
  return found
}
