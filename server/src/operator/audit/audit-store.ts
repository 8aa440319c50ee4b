import type { Id } from '../../kernel/ids.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

export type AuditLine = Readonly<{
  id: string
  platformId: Id<'platform'>
  at: Date
  actor: string
  action: string
  resource: string | null
  note: string | null
  requestId: string
  clientRequestId: string | null
  /** Its place in the chain, once it has one (OPER-50). */
  seq: bigint | null
  hash: Buffer | null
}>

export type AuditFilters = Readonly<{
  platformId: Id<'platform'> | null
  /** Begins of texts; any actor where there is none. */
  actors: readonly string[]
  action: string
  resources: readonly string[]
  /** Entries older than this one. */
  before: string | null
  limit: number
}>

/** An index of their own leads to what operators did: it is little among what platforms do. */
const byOperators = (actors: readonly string[]): Sql =>
  actors.length > 0 && actors.every((actor) => /^(operator|local:)/.test(actor))
    ? sql`and (actor like 'operator%' or actor like 'local:%')`
    : sql.empty

/** Newest first. Each platform is asked for its newest entries, so that nobody has to sort the whole table. */
export const listAudit = (tx: Tx, filters: AuditFilters): Promise<AuditLine[]> => {
  const { platformId, actors, action, resources, before, limit } = filters
  return tx.many<AuditLine>(
    sql`select a.id, p.id as platform_id, a.at, a.actor, a.action, a.resource, n.note, a.request_id,
          a.client_request_id, c.seq, c.hash
        from platforms p
        cross join lateral (
          select * from audit_entries
          where platform_id = p.id and (${before}::uuid is null or id < ${before})
            and (cardinality(${actors}::text[]) = 0 or actor ^@ any (${actors}::text[])) ${byOperators(actors)}
            and starts_with(action, ${action})
            and (cardinality(${resources}::text[]) = 0 or resource = any (${resources}::text[]))
          order by id desc limit ${limit}) a
        left join audit_notes n on n.platform_id = p.id and n.entry_id = a.id
        left join audit_chain c on c.platform_id = p.id and c.entry_id = a.id
        where ${platformId}::uuid is null or p.id = ${platformId}
        order by a.id desc limit ${limit}`,
  )
}

/** Whether the role of this connection may change what the audit has: by its rights, or as the owner of the tables. */
export const mayChangeAudit = (tx: Tx): Promise<{ isChangeable: boolean }> =>
  tx.one(
    sql`select bool_or(has_table_privilege(oid, 'update, delete, truncate') or pg_has_role(relowner, 'member'))
          as is_changeable
        from pg_class where oid in ('audit_entries'::regclass, 'audit_chain'::regclass)`,
  )
