import type { ChainedEntry } from '../../crypto/audit/chain-hash.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { ENTRY } from './chain-store.ts'

/** An entry with what is hashed of it; `at` to the last digit that the database keeps. */
export type EntryRow = Readonly<{
  platformId: Id<'platform'>
  id: string
  at: string
  actor: string
  action: string
  resource: string | null
  noteDigest: Buffer | null
  requestId: string
}>

/** A place in a chain, with the entry and the note that are there now. */
export type LinkRow = Readonly<{
  platformId: Id<'platform'>
  seq: bigint
  entryId: string
  hash: Buffer
  entry: (EntryRow & Readonly<{ clientRequestId: string | null }>) | undefined
  hasNoteRow: boolean
  salt: Buffer | null
  note: string | null
}>

type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

/** Of an entry that is gone, nothing but its place. */
type FlatRow = Omit<LinkRow, 'entry'> &
  Nullable<Omit<EntryRow, 'platformId'>> &
  Readonly<{ clientRequestId: string | null }>

const LINK = sql`c.platform_id, c.seq, c.entry_id, c.hash, ${ENTRY}, e.client_request_id,
  n.entry_id is not null as has_note_row, n.salt, n.note`

const LINKED = sql`left join audit_entries e on e.platform_id = c.platform_id and e.id = c.entry_id
  left join audit_notes n on n.platform_id = c.platform_id and n.entry_id = c.entry_id`

const toLink = (row: FlatRow): LinkRow => {
  const { platformId, seq, entryId, hash, hasNoteRow, salt, note } = row
  // What is not null of an entry is not where there is one.
  const entry = row.id === null ? undefined : (row as LinkRow['entry'])
  return { platformId, seq, entryId, hash, entry, hasNoteRow, salt, note }
}

export type LinksAfter = Readonly<{ platformId: Id<'platform'>; seq: bigint; limit: number }>

/** The next places of one chain, in their order. */
export async function listLinks(
  tx: Tx,
  { platformId, seq, limit }: LinksAfter,
): Promise<LinkRow[]> {
  const rows = await tx.many<FlatRow>(
    sql`select ${LINK} from audit_chain c ${LINKED}
        where c.platform_id = ${platformId} and c.seq > ${seq} order by c.seq limit ${limit}`,
  )
  return rows.map(toLink)
}

/** The next places of all chains that the sink has not got, each chain in its order. */
export async function listUnsent(tx: Tx, limit: number): Promise<LinkRow[]> {
  const rows = await tx.many<FlatRow>(
    sql`select ${LINK} from platforms p
          left join audit_sink_positions s on s.platform_id = p.id
          cross join lateral (
            select * from audit_chain where platform_id = p.id and seq > coalesce(s.seq, 0)
            order by seq limit ${limit}) c ${LINKED}
        order by c.platform_id, c.seq limit ${limit}`,
  )
  return rows.map(toLink)
}

export const listPlatformIds = (
  tx: Tx,
  platformId: Id<'platform'> | null,
): Promise<{ id: Id<'platform'> }[]> =>
  tx.many(
    sql`select id from platforms where ${platformId}::uuid is null or id = ${platformId} order by id`,
  )

/** Entries from before this id that no place names: the first of them, and how many there are. */
export const findUnchained = (
  tx: Tx,
  { platformId, before }: Readonly<{ platformId: Id<'platform'>; before: string }>,
): Promise<{ id: string | null; count: number }> =>
  tx.one(
    sql`select (array_agg(e.id order by e.id))[1] as id, count(*)::int as count from audit_entries e
        where e.platform_id = ${platformId} and e.id < ${before} and not exists (
          select from audit_chain c where c.platform_id = e.platform_id and c.entry_id = e.id)`,
  )

/** The entry as it is hashed and exported. */
export const chainedEntry = (entry: EntryRow, seq: bigint): ChainedEntry => ({
  platformId: formatId('platform', entry.platformId),
  seq: Number(seq),
  id: entry.id,
  at: entry.at,
  actor: entry.actor,
  action: entry.action,
  resource: entry.resource ?? undefined,
  noteDigest: entry.noteDigest?.toString('hex'),
  requestId: entry.requestId,
})
