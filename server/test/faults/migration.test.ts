import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import {
  migrate,
  MigrationError,
  readMigrations,
  type Migration,
} from '../../src/infra/db/migrate.ts'
import { cloneDatabase } from '../kit/database/database.ts'
import { eventually } from '../kit/eventually.ts'
import { openDatabaseProxy, throughHosts } from '../kit/processes/database-proxy.ts'

const database = await cloneDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

const known = await readMigrations()

const further = (text: string, name = '9000-further.sql'): Migration => ({
  version: parseInt(name, 10),
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
})

async function count(query: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(query)
  return Number(rows[0]?.count)
}

const applied = () => count('select count(*) from schema_migrations where version >= 9000')

test('CORE-81 twenty processes that start together apply a migration once', async () => {
  const migrations = [...known, further('create table further (id int)')]
  const results = await Promise.all(
    Array.from({ length: 20 }, () => migrate(database.url, { migrations })),
  )
  assert.deepEqual(results.flat(), ['9000-further.sql'])
  assert.equal(await applied(), 1)
})

test('CORE-81 a process that is cut off in the middle of a migration does not keep the next one from it', async () => {
  const proxy = await openDatabaseProxy(database.url)
  const applied = further('create table further (id int)')
  const cutOff = further('create table cut_off (id int); select pg_sleep(1)', '9001-cut-off.sql')
  const migrations = [...known, applied, cutOff]
  const lost = migrate(throughHosts(database.url, proxy.host), { migrations, idleMs: 500 })
  const sleeping = `select count(*) from pg_stat_activity where query like 'create table cut_off%' and state = 'active'`
  await eventually(async () => assert.equal(await count(sleeping), 1))
  proxy.pause()
  assert.deepEqual(await migrate(database.url, { migrations }), ['9001-cut-off.sql'])
  proxy.resume()
  await assert.rejects(lost, MigrationError)
  await client.query('drop table cut_off; delete from schema_migrations where version = 9001')
})

test('CORE-81 a process killed in the middle of a migration leaves nothing of it, and the next start applies it', async () => {
  const slow = further('create table slow (id int); select pg_sleep(60)', '9001-slow.sql')
  const script = `
    const { migrate, readMigrations } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/infra/db/migrate.ts'))})
    const further = ${JSON.stringify([further('create table further (id int)'), slow])}
    await migrate(${JSON.stringify(database.url)}, { migrations: [...await readMigrations(), ...further] })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
  const sleeping = `select count(*) from pg_stat_activity where query like 'create table slow%' and state = 'active'`
  await eventually(async () => assert.equal(await count(sleeping), 1), 20_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  // The server notices the lost client when the statement ends; a stuck one is ended as an operator would.
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create table slow%'`,
  )
  const quick = { ...slow, text: 'create table slow (id int)' }
  const names = await migrate(database.url, {
    migrations: [...known, further('create table further (id int)'), quick],
  })
  assert.deepEqual(names, ['9001-slow.sql'])
})

test('CORE-81 a failing migration is rolled back whole and named', async () => {
  const broken = further('create table half (id int); select 1 / 0', '9002-broken.sql')
  await assert.rejects(
    migrate(database.url, { migrations: [broken] }),
    (error) => error instanceof MigrationError && error.message.includes('9002-broken.sql'),
  )
  assert.equal(await count(`select count(*) from pg_class where relname = 'half'`), 0)
})

test('CORE-81 a migration that was changed after it had been applied is refused', async () => {
  const [first] = known
  assert.ok(first)
  await assert.rejects(
    migrate(database.url, { migrations: [{ ...first, checksum: 'another' }] }),
    MigrationError,
  )
})
