import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { forgetOldPlans } from './forget-old-plans.ts'

const kit = await startOwnKit()
const client = new pg.Client({
  connectionString: kit.databaseUrl,
  options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
})

const LOOK_UP = {
  name: 'look-up',
  text: 'select m.id from marks m join unnest($1::int[]) as k(id) on m.id = k.id',
}

/** How many rows of the table the statement reads for one key. */
async function readsOf(): Promise<unknown> {
  await client.query({ ...LOOK_UP, values: [[1]] })
  const { rows } = await client.query(
    'explain (analyze, format json) execute "look-up"(\'{1}\'::int[])',
  )
  return JSON.stringify(rows).includes('Index Cond') ? 'its own' : 'all'
}

test('plans made for an empty table are forgotten after a second', async () => {
  await client.connect()
  await client.query('create temporary table marks (id int primary key)')
  await client.query('analyze marks')
  forgetOldPlans(client, 0)
  assert.equal(await readsOf(), 'all')
  await client.query('insert into marks select generate_series(1, 20000)')
  forgetOldPlans(client, 999)
  assert.equal(await readsOf(), 'all', 'the plan is kept')
  forgetOldPlans(client, 1000)
  assert.equal(await readsOf(), 'its own')
  await client.end()
})

test('plans are forgotten ever more seldom', () => {
  const sent: unknown[] = []
  const watched = { query: async (text: unknown) => void sent.push(text) }
  for (let nowMs = 0; nowMs <= 3_600_000; nowMs += 1000) {
    forgetOldPlans(watched as unknown as pg.PoolClient, nowMs)
  }
  // After 1, 3, 7, … and 1,023 seconds, then every 1,024.
  assert.equal(sent.length, 10 + 2)
})
