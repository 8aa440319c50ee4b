import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startKit } from '../../../test/kit/florin.ts'
import { newUuid } from '../../kernel/ids.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import { inOneTransaction } from './one-transaction.ts'

const { florin } = await startKit()
const { deps } = florin

const write = (tx: Tx, key: string): void =>
  tx.queueWrite(
    sql`insert into rate_buckets (key, tokens, granted, refilled_at) values (${key}, 1, 1, now())`,
  )

const isThere = async (key: string): Promise<boolean> =>
  (await deps.db.read.maybe(sql`select from rate_buckets where key = ${key}`)) !== undefined

test('OPER-24 transactions that take part in another one are committed with it', async () => {
  const [first, second] = [newUuid(), newUuid()]
  const ran: string[] = []
  await inOneTransaction(deps, async ({ db }) => {
    await db.transaction(async (tx) => write(tx, first))
    db.afterCommit(() => void ran.push('after'))
    assert.ok(await db.read.maybe(sql`select from rate_buckets where key = ${first}`), 'read')
    assert.ok(!(await isThere(first)), 'not yet for others')
    await db.transaction(async (tx) => write(tx, second))
    assert.deepEqual(ran, [])
  })
  assert.deepEqual(ran, ['after'])
  assert.ok((await isThere(first)) && (await isThere(second)))
})

test('OPER-23 one that fails leaves nothing, and the others go on', async () => {
  const [kept, undone] = [newUuid(), newUuid()]
  const ran: string[] = []
  await inOneTransaction(deps, async ({ db }) => {
    await db.transaction(async (tx) => write(tx, kept))
    const failing = inOneTransaction({ ...deps, db }, async (inner) => {
      await inner.db.transaction(async (tx) => write(tx, undone))
      inner.db.afterCommit(() => void ran.push('undone'))
      throw new Error('rolled back')
    })
    await assert.rejects(failing, /rolled back/)
  })
  assert.deepEqual(ran, [])
  assert.ok((await isThere(kept)) && !(await isThere(undone)))
})
