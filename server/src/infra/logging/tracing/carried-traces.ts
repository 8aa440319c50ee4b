import { addMs, DAY_MS } from '../../../kernel/clock.ts'
import { firstUuidAt } from '../../../kernel/ids.ts'
import type { Database } from '../../db/database.ts'
import { given, type Columns } from '../../db/statement/given.ts'
import { sql } from '../../db/statement/sql.ts'
import type { Tx } from '../../db/tx.ts'
import type { Carried } from './tracer.ts'

export type CarriedRow = Carried & Readonly<{ traceparent: string }>

const KEY: Columns<Carried> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  id: ['uuid', ({ id }) => id],
}
const ROW: Columns<CarriedRow> = { ...KEY, traceparent: ['text', (row) => row.traceparent] }

export const insertCarried = (tx: Tx, rows: readonly CarriedRow[]): void =>
  tx.queueWrite(
    sql`insert into carried_traces (platform_id, id, traceparent) select * from ${given('c', ROW, rows)}
        on conflict do nothing`,
  )

/** In the order of the keys. */
export async function findCarried(
  tx: Tx,
  keys: readonly Carried[],
): Promise<readonly (string | undefined)[]> {
  const found = await tx.many<CarriedRow>(
    sql`select c.platform_id, c.id, c.traceparent from ${given('k', KEY, keys)}
        join carried_traces c on c.platform_id = k.platform_id and c.id = k.id`,
  )
  const byId = new Map(found.map(({ id, traceparent }) => [id, traceparent]))
  return keys.map(({ id }) => byId.get(id))
}

const KEPT_MS = DAY_MS
const PRUNED_AT_ONCE = 5_000

export async function pruneCarried(db: Database, now: Date): Promise<void> {
  const oldest = firstUuidAt(addMs(now, -KEPT_MS))
  for (;;) {
    const removed = await db.read.run(
      sql`delete from carried_traces where ctid = any(array(
            select c.ctid from platforms p join carried_traces c on c.platform_id = p.id and c.id < ${oldest}::uuid
            limit ${PRUNED_AT_ONCE}))`,
    )
    if (removed < PRUNED_AT_ONCE) return
  }
}
