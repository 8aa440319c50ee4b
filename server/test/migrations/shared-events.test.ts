import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { readMigrations } from '../../src/infra/db/migrate.ts'
import { SERVICE_ROLE } from '../../src/infra/db/embedded/cluster.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { emptyDatabase } from '../kit/database/database.ts'

const database = await emptyDatabase()
const owner = new pg.Client({ connectionString: database.url })
const older = new pg.Client({ connectionString: database.serviceUrl })
after(async () => {
  await Promise.all([owner.end(), older.end()])
  await database.drop()
})

const OWN = 91
const platformId = newUuid()

/** As a process of the release before writes, reads and removes events, over statements that it has prepared. */
const INSERT = {
  name: 'insert',
  text: `with written as (
      insert into events (platform_id, id, position, type, resource_id, at, body)
      values ($1, $2, $3, 'TEST', 'Card:1', '2026-01-01', $4))
    select 1`,
}
const SELECT = {
  name: 'select',
  text: 'select body from events where platform_id = $1 and id = $2',
}
const DELETE = {
  name: 'delete',
  text: `with old as (select $2::uuid as id)
    delete from events e using old where e.platform_id = $1 and e.id = old.id`,
}

async function write(position: number) {
  const [id, body] = [newUuid(), JSON.stringify({ position, name: 'Žofie' })]
  await older.query({ ...INSERT, values: [platformId, id, position, body] })
  return { id, body }
}

const bodyOf = async (id: string): Promise<unknown> =>
  (await older.query<{ body: string }>({ ...SELECT, values: [platformId, id] })).rows[0]?.body

test('CORE-81 HOOK-5 a process of an older release goes on with its events while they come to share data', async () => {
  await Promise.all([owner.connect(), older.connect()])
  const migrations = await readMigrations()
  for (const { version, text } of migrations) if (version < OWN) await owner.query(text)
  await owner.query(
    `grant select, insert, update, delete on all tables in schema public to ${SERVICE_ROLE}`,
  )
  const before = await write(1)
  assert.equal(await bodyOf(before.id), before.body)
  const own = migrations.find(({ version }) => version === OWN)
  assert.ok(own)
  await owner.query(own.text)
  const since = await write(2)
  for (const { id, body } of [before, since]) assert.equal(await bodyOf(id), body)
  const removed = await older.query({ ...DELETE, values: [platformId, before.id] })
  assert.equal(removed.rowCount, 1)
  assert.equal(await bodyOf(before.id), undefined)
  assert.equal(await bodyOf(since.id), since.body)
})
