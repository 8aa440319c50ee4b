import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { expectError, expectStatus } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { sql } from '../statement/sql.ts'
import { DatabaseUnavailable } from './unavailable.ts'

const kit = await startOwnKit()

/** Lets nobody in and sends everybody away, until it is called with true. */
async function allowConnections(isAllowed: boolean): Promise<void> {
  const url = new URL(kit.databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  try {
    await admin.query(`alter database ${name} with allow_connections ${String(isAllowed)}`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      name,
    ])
  } finally {
    await admin.end()
  }
}

test('ERR-8 without its database the service answers 503 with Retry-After, and serves again after', async () => {
  const { api } = await kit.platform()
  expectStatus(await api.get('/config'), 200)
  await allowConnections(false)
  try {
    for (const answer of [
      await api.get('/config'),
      await api.post('/tokens', { name: 'x', permissions: ['VIEW'] }),
      await api.with({ clientId: '0'.repeat(32), clientSecret: 'x' }).get('/config'),
    ]) {
      expectError(answer, 503, 'SERVICE_UNAVAILABLE')
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
  } finally {
    await allowConnections(true)
  }
  await eventually(async () => expectStatus(await api.get('/config'), 200))
})

test('CORE-44 a connection that dies between two statements undoes the transaction, not the process', async () => {
  const { db } = kit.florin.deps
  const { api } = await kit.platform()
  const lost = db.transaction(async (tx) => {
    await tx.run(sql`update platforms set name = 'half done'`)
    await allowConnections(true)
    await tx.run(sql`update platforms set name = 'done'`)
  })
  await assert.rejects(lost, DatabaseUnavailable)
  await eventually(async () => {
    const rows = await db.read.many<{ name: string }>(sql`select name from platforms`)
    assert.ok(rows.every(({ name }) => !['half done', 'done'].includes(name)))
  })
  await eventually(async () => expectStatus(await api.get('/config'), 200))
})
