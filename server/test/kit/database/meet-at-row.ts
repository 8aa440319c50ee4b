import assert from 'node:assert/strict'
import { sql, type Sql } from '../../../src/infra/db/statement/sql.ts'
import { eventually } from '../eventually.ts'
import type { Kit } from '../florin.ts'

const WAITING = sql`select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/**
 * Holds rows until all who are sent off wait for one another or for them, and then lets them go: each has read what
 * was there before any has changed it. `rows` is a select for update.
 */
export async function meetAtRow<P extends readonly Promise<unknown>[] | []>(
  { florin }: Pick<Kit, 'florin'>,
  rows: Sql,
  sent: () => P,
): Promise<{ -readonly [K in keyof P]: Awaited<P[K]> }> {
  const { db } = florin.deps
  const all = await db.transaction(async (tx) => {
    assert.equal(await tx.run(rows), 1, 'there is a row to meet at')
    const racers = sent()
    await eventually(async () => assert.equal(await db.read.run(WAITING), racers.length))
    return racers
  })
  return Promise.all(all)
}

type Sender = () => Promise<unknown>

/** The same in a known order: each is sent off once those before it wait. */
export async function queueAtRow<S extends readonly Sender[] | []>(
  { florin }: Pick<Kit, 'florin'>,
  rows: Sql,
  senders: S,
): Promise<{ -readonly [K in keyof S]: S[K] extends () => Promise<infer A> ? A : never }> {
  const { db } = florin.deps
  const all: Promise<unknown>[] = []
  await db.transaction(async (tx) => {
    assert.equal(await tx.run(rows), 1, 'there is a row to queue at')
    for (const send of senders) {
      all.push(send())
      await eventually(async () => assert.equal(await db.read.run(WAITING), all.length))
    }
  })
  return Promise.all(all) as never
}
