import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../src/infra/db/database.ts'
import { readMigrations } from '../../src/infra/db/migrate.ts'
import { sql, type Sql } from '../../src/infra/db/statement/sql.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { emptyDatabase, keyring } from '../kit/database/database.ts'
import { silentLog } from '../kit/processes/silent-log.ts'

const database = await emptyDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
const db = openDatabase({ url: database.url, poolSize: 2, log: silentLog, keyring })
after(async () => {
  await db.close()
  await client.end()
  await database.drop()
})

const OWN = 27
const platformId = '00000000-0000-7000-8000-000000000001'
const at = '2026-01-01T00:00:00Z'
const run = (query: Sql): Promise<number> => db.read.run(query)

/** A quote's action as it stood before the migration, in the queue beside a transaction of this status. */
async function pendingBeside(status: string): Promise<string> {
  const id = newUuid()
  await run(
    sql`insert into transactions (platform_id, id, type, status, source, destination, quote_id, created_at, updated_at)
        values (${platformId}, ${id}, 'OUTGOING', ${status}, '{}', '{}', ${id}, ${at}, ${at})`,
  )
  await run(
    sql`insert into quotes (platform_id, id, source, destination, locked_side, rate_numerator, rate_denominator,
          created_at, expires_at)
        values (${platformId}, ${id}, '{}', '{}', 'SENDING', 1, 1, ${at}, '2026-01-01T00:05:00Z')`,
  )
  await insertAction(id, 'EXECUTE_QUOTE')
  return id
}

const insertAction = (id: string, type: string): Promise<number> =>
  run(
    sql`insert into agent_actions (platform_id, id, agent_id, customer_id, type, status, transaction_id, created_at,
          updated_at)
        values (${platformId}, ${id}, ${id}, ${id}, ${type}, 'PENDING_APPROVAL', ${id}, ${at}, ${at})`,
  )

const actionOf = (id: string) =>
  db.read.one<{ status: string; failureReason: string | null; expiresAt: Date | null }>(
    sql`select status, failure_reason, expires_at from agent_actions where id = ${id}`,
  )

test('ACT-30 CORE-81 what stood dead in the queue ends with the migration, what waits learns until when', async () => {
  const migrations = await readMigrations()
  for (const { version, text } of migrations) if (version < OWN) await client.query(text)
  const [expired, executed, waiting] = [
    await pendingBeside('EXPIRED'),
    await pendingBeside('COMPLETED'),
    await pendingBeside('PENDING'),
  ]
  const transfer = newUuid()
  await insertAction(transfer, 'TRANSFER_OUT')
  const own = migrations.find(({ version }) => version === OWN)
  assert.ok(own)
  await client.query(own.text)
  const ended = await actionOf(expired)
  assert.deepEqual([ended.status, ended.failureReason], ['FAILED', 'QUOTE_EXPIRED'])
  const taken = await actionOf(executed)
  assert.deepEqual([taken.status, taken.failureReason], ['FAILED', 'QUOTE_NOT_EXECUTABLE'])
  const open = await actionOf(waiting)
  assert.equal(open.status, 'PENDING_APPROVAL')
  assert.equal(open.expiresAt?.toISOString(), '2026-01-01T00:05:00.000Z')
  const sent = await actionOf(transfer)
  assert.equal(sent.expiresAt?.toISOString(), '2026-01-08T00:00:00.000Z')
  const marked = await db.read.many<{ id: string }>(
    sql`select id from transactions where approval_action_id is not null`,
  )
  assert.deepEqual(marked, [{ id: waiting }])
})
