import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus } from '../../test/kit/api.ts'
import { startOwnKit } from '../../test/kit/florin.ts'
import { systemClock } from '../kernel/clock.ts'
import { mustParseId, type Id } from '../kernel/ids.ts'
import { createCallers, dropCallers } from './callers.ts'
import { sql } from './db/statement/sql.ts'
import { inWork } from './work/in-work.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps
const callers = await createCallers(db, systemClock)
after(() => callers.stop())

async function newToken() {
  const { api } = await kit.platform()
  const answer = await api.post('/tokens', { name: 'cached', permissions: ['VIEW'] })
  const id = mustParseId('token', expectStatus(answer, 201).id)
  const caller = await callers.find(id)
  assert.ok(caller)
  return { id, platform: caller.platform }
}

/** Without telling anybody. */
const deleteSilently = (id: Id<'token'>): Promise<number> =>
  db.read.run(sql`update api_tokens set deleted_at = ${systemClock.now()} where id = ${id}`)

test('TOK-5 what is cached of a platform is forgotten at once, without waiting for a notification', async () => {
  const { id, platform } = await newToken()
  await deleteSilently(id)
  assert.ok(await callers.find(id), 'cached until it is forgotten')
  callers.forget(platform.id)
  assert.equal(await callers.find(id), undefined)
})

test('TOK-5 a look-up that began before a change is not cached after it', async () => {
  const { id, platform } = await newToken()
  callers.forget(platform.id)
  const underWay = callers.find(id)
  callers.forget(platform.id)
  assert.ok(await underWay)
  await deleteSilently(id)
  assert.equal(await callers.find(id), undefined)
})

test('TOK-5 the reaction forgets once the change is committed, and only then', async () => {
  const { id, platform } = await newToken()
  const forgotten: string[] = []
  const react = dropCallers({ forget: (platformId) => void forgotten.push(platformId) })
  const options = { platform, actor: { kind: 'system', name: 'test' }, requestId: id } as const
  const undone = inWork(kit.florin.deps, options, async (work) => {
    await react(work)
    assert.fail('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual(forgotten, [])
  await inWork(kit.florin.deps, options, async (work) => {
    await react(work)
    assert.deepEqual(forgotten, [])
  })
  assert.deepEqual(forgotten, [platform.id])
})
