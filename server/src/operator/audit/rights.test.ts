import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { expectStatus } from '../../../test/kit/api.ts'
import { emptyDatabase } from '../../../test/kit/database/database.ts'
import { eventuallyChained } from '../../../test/kit/database/chained.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { migrate } from '../../infra/db/migrate.ts'
import { sql } from '../../infra/db/statement/sql.ts'

const kit = await startOwnKit({}, { isServiceRole: true })
const { db } = kit.florin.deps
const DENIED = { code: '42501' }

const auditLine = async (of: typeof kit): Promise<string | undefined> => {
  type Checks = Readonly<{ checks: readonly Readonly<{ check: string; detail: string }>[] }>
  const { checks } = await operate<Checks>(of, 'doctor')
  return checks.find(({ check }) => check === 'audit')?.detail
}

test("OPER-52 the service's role adds to the audit and reads it, and can change nothing of it", async () => {
  const { api, platformId } = await kit.platform()
  expectStatus(await api.post('/tokens', { name: 'one', permissions: ['VIEW'] }), 201)
  await operate(kit, `platforms update ${platformId} --name Renamed`)
  await eventuallyChained(kit)
  const verified = await operate<Readonly<{ ok: boolean }>>(kit, 'audit verify')
  assert.equal(verified.ok, true)
  for (const table of [sql`audit_entries`, sql`audit_chain`, sql`audit_notes`]) {
    await assert.rejects(db.read.run(sql`update ${table} set platform_id = platform_id`), DENIED)
    await assert.rejects(db.read.run(sql`delete from ${table}`), DENIED)
    await assert.rejects(db.read.run(sql`truncate ${table}`), DENIED)
    await assert.rejects(db.read.run(sql`alter table ${table} disable trigger all`), DENIED)
  }
  await assert.rejects(db.read.run(sql`delete from schema_migrations`), DENIED)
  const id = mustParseId('platform', platformId)
  await db.read.run(
    sql`insert into audit_entries (platform_id, id, at, actor, action, note, request_id)
        values (${id}, gen_random_uuid(), '2026-01-01', 'operator:florin', 'noted', 'a note', 'r')`,
  )
  await db.read.run(
    sql`select erase_audit_notes(platform_id, array[entry_id], 'asked for', '2026-01-01') from audit_notes
        where platform_id = ${id}`,
  )
  const { note, erasedBecause } = await db.read.one<Record<string, string | null>>(
    sql`select note, erased_because from audit_notes where platform_id = ${id}`,
  )
  assert.deepEqual([note, erasedBecause], [null, 'asked for'], 'a note goes by what says why')
  assert.equal(await auditLine(kit), 'entries can only be added')
})

test('OPER-52 doctor says where one role serves and owns', async () => {
  const asOwner = await startOwnKit()
  assert.equal(await auditLine(asOwner), "entries could be changed by the service's role")
})

test("OPER-52 the service's role may write every other table", async () => {
  const rights = await db.read.many<{ name: string; rights: number }>(
    sql`select relname as name, has_table_privilege(oid, 'select')::int + has_table_privilege(oid, 'insert')::int
          + has_table_privilege(oid, 'update')::int + has_table_privilege(oid, 'delete')::int as rights
        from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
  )
  const fewer = rights.filter((one) => one.rights < 4).map(({ name, rights: had }) => [name, had])
  assert.deepEqual(fewer, [
    ['audit_chain', 2],
    ['audit_entries', 2],
    ['audit_notes', 2],
    ['schema_migrations', 1],
  ])
})

test('OPER-52 a database that one role owned so far is brought over at the next start', async () => {
  const database = await emptyDatabase()
  after(() => database.drop())
  await migrate(database.url)
  const client = new pg.Client({ connectionString: database.serviceUrl })
  await client.connect()
  try {
    await assert.rejects(client.query('select from platforms'), DENIED)
    await migrate(database.url, { serviceUrl: database.serviceUrl })
    await client.query('select from platforms')
    await assert.rejects(client.query('update audit_entries set actor = actor'), DENIED)
  } finally {
    await client.end()
  }
})
