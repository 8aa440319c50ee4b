import type { Id } from '../../../kernel/ids.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { CardEntry } from './row.ts'

export type CardEntryRow = Readonly<{
  platformId: Id<'platform'>
  entry: CardEntry
  /** What the list finds it by as an account's (CTXN-2). */
  accountIdentifier: string
}>

const ENTRY: Columns<CardEntryRow> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  id: ['uuid', ({ entry }) => entry.id],
  type: ['text', ({ entry }) => entry.type],
  status: ['text', ({ entry }) => entry.status],
  customer_id: ['uuid', ({ entry }) => entry.customerId],
  platform_customer_id: ['text', ({ entry }) => entry.platformCustomerId],
  source_identifier: ['text', ({ accountIdentifier }) => accountIdentifier],
  card_id: ['uuid', ({ entry }) => entry.cardId],
  card_details: ['jsonb', ({ entry }) => sql.json(entry.details)],
  created_at: ['timestamptz', ({ entry }) => entry.createdAt],
  updated_at: ['timestamptz', ({ entry }) => entry.updatedAt],
}

/** Queues new entries, of any platforms, for the commit. */
export function insertCardEntries(tx: Tx, rows: readonly CardEntryRow[]): void {
  tx.queueWrite(
    sql`insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source_identifier,
          card_id, card_details, created_at, updated_at)
        select * from ${given('n', ENTRY, rows)}`,
  )
}

/** Queues the new state of an entry; the caller holds the lock of its card transaction. */
export function saveCardEntry(tx: Tx, { platformId, entry }: CardEntryRow): void {
  tx.queueWrite(
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
