import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { LinkRow } from './links-store.ts'

type Lease = Readonly<{ holder: string; now: Date; until: Date }>

/** One process at a time sends, so that entries arrive in their order. */
export async function takeLease(tx: Tx, { holder, now, until }: Lease): Promise<boolean> {
  const taken = await tx.run(
    sql`insert into audit_sink_lease as l (holder, leased_until) values (${holder}, ${until})
        on conflict (one) do update set holder = excluded.holder, leased_until = excluded.leased_until
        where l.holder = excluded.holder or l.leased_until <= ${now}`,
  )
  return taken === 1
}

type Position = Pick<LinkRow, 'platformId' | 'seq'>

const POSITION: Columns<Position> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  seq: ['bigint', ({ seq }) => seq],
}

export async function savePositions(tx: Tx, sent: readonly Position[]): Promise<void> {
  await tx.run(
    sql`insert into audit_sink_positions as s (platform_id, seq)
        select platform_id, max(seq) from ${given('p', POSITION, sent)} group by platform_id
        on conflict (platform_id) do update set seq = greatest(s.seq, excluded.seq)`,
  )
}

export const findOldestUnsent = (tx: Tx): Promise<{ since: Date | null }> =>
  tx.one(
    sql`select min(c.chained_at) as since from platforms p
          left join audit_sink_positions s on s.platform_id = p.id
          cross join lateral (
            select chained_at from audit_chain where platform_id = p.id and seq > coalesce(s.seq, 0)
            order by seq limit 1) c`,
  )
