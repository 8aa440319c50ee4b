import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Answer,
  type Api,
} from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { mustParseId, newUuid } from '../../kernel/ids.ts'
import { sql, type Sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import { findOldestKey, pruneKeys } from '../work/idempotency.ts'

const kit = await startOwnKit()

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const token = (name: string, permissions = ['VIEW']) => ({ name, permissions })
const isReplay = (answer: Answer): boolean => answer.headers.get('idempotent-replayed') === 'true'
const count = async (api: Api, name: string): Promise<unknown> =>
  expectStatus(await api.get('/tokens', { query: { name } }), 200).totalCount

describe('the key', () => {
  test('CORE-40 a key is 1 to 255 printable ASCII characters', async () => {
    const { api } = await kit.platform()
    for (const key of ['', 'x'.repeat(256), 'schlüssel', 'a\tb']) {
      expectFields(await api.post('/tokens', token('x'), keyed(key)), ['Idempotency-Key'])
    }
    for (const key of ['x', 'x'.repeat(255), '~ any, "printable" text! ~']) {
      expectStatus(await api.post('/tokens', token('x'), keyed(key)), 201)
    }
  })

  test('CORE-40 a read takes no notice of it', async () => {
    const { api } = await kit.platform()
    for (const path of ['/config', '/tokens']) {
      const answer = await api.get(path, keyed('same'))
      assert.deepEqual([answer.status, isReplay(answer)], [200, false])
    }
  })
})

describe('the same request again', () => {
  test('CORE-40 CORE-41 gets the first answer and has no second effect', async () => {
    const { api } = await kit.platform()
    const send = (umaDomain: string, options = {}) => api.patch('/config', { umaDomain }, options)
    const first = await send('one.example.com', keyed('k'))
    expectStatus(first, 200)
    assert.equal(isReplay(first), false)
    expectStatus(await send('two.example.com'), 200)
    const replay = await send('one.example.com', keyed('k'))
    assert.deepEqual([replay.status, replay.text, isReplay(replay)], [200, first.text, true])
    assert.equal(replay.headers.get('content-type'), first.headers.get('content-type'))
    const { umaDomain } = expectStatus(await api.get('/config'), 200)
    assert.equal(umaDomain, 'two.example.com')
  })

  test('CORE-41 an answer without a body is replayed without one', async () => {
    const { api } = await kit.platform()
    const { id } = expectStatus(await api.post('/tokens', token('x')), 201)
    const remove = () => api.delete(`/tokens/${id}`, keyed('gone'))
    assert.equal((await remove()).status, 204)
    const replay = await remove()
    assert.deepEqual([replay.status, replay.text, isReplay(replay)], [204, '', true])
  })

  test('CORE-41 a refusal that comes after the key is stored, its effects are not', async () => {
    const { api } = await kit.platform()
    const made = expectStatus(await api.post('/tokens', token('m', ['MANAGE'])), 201)
    const manager = api.with({
      clientId: made.clientId,
      clientSecret: text(made.clientSecret),
    })
    const first = await manager.post('/tokens', token('more', ['VIEW']), keyed('k'))
    expectError(first, 403, 'FORBIDDEN')
    // The same request by a token that may: it is the first one's answer that counts.
    const replay = await api.post('/tokens', token('more', ['VIEW']), keyed('k'))
    assert.deepEqual([replay.status, replay.text, isReplay(replay)], [403, first.text, true])
    const missing = await api.delete('/tokens/x', keyed('missing'))
    expectError(missing, 404, 'TOKEN_NOT_FOUND')
    assert.equal(isReplay(await api.delete('/tokens/x', keyed('missing'))), true)
    assert.equal(await count(api, 'more'), 0)
  })

  test('CORE-41 a refusal that comes before the key, and a 5xx, leave the key free', async () => {
    const { api } = await kit.platform()
    expectFields(await api.post('/tokens', { name: 'x' }, keyed('k')), ['permissions'])
    expectStatus(await api.post('/tokens', token('x'), keyed('k')), 201)
    const fee = {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'EUR',
      variableFeeBps: 1,
      fixedFee: { amount: 0, currency: 'EUR' },
    }
    const refused = await api.patch('/config', { feeConfigs: [fee] }, keyed('f'))
    expectError(refused, 501, 'NOT_IMPLEMENTED')
    expectStatus(await api.patch('/config', {}, keyed('f')), 200)
  })

  test('CORE-41 a key belongs to a platform: any of its tokens, no other’s', async () => {
    const [one, other] = await Promise.all([kit.platform(), kit.platform()])
    const first = await one.api.post('/tokens', token('x', ['MANAGE']), keyed('k'))
    const { clientId, clientSecret } = expectStatus(first, 201)
    const second = one.api.with({ clientId: clientId, clientSecret: text(clientSecret) })
    assert.equal(isReplay(await second.post('/tokens', token('x', ['MANAGE']), keyed('k'))), true)
    const foreign = await other.api.post('/tokens', token('x', ['MANAGE']), keyed('k'))
    assert.deepEqual([foreign.status, isReplay(foreign)], [201, false])
  })
})

describe('another request', () => {
  test('CORE-42 with the same key is refused: other query', async () => {
    const { api } = await kit.platform()
    const factor = { factor: 'SMS_OTP' }
    const send = (customerId: string) =>
      api.post('/sca/login/start', factor, { ...keyed('k'), query: { customerId } })
    const [one, other] = [`Customer:${newUuid()}`, `Customer:${newUuid()}`]
    expectError(await send(one), 404, 'USER_NOT_FOUND')
    expectError(await send(other), 409, 'IDEMPOTENCY_KEY_REUSED')
    assert.equal(isReplay(await send(one)), true)
  })

  test('CORE-42 with the same key is refused: other body, path or method', async () => {
    const { api, tokenId } = await kit.platform()
    expectStatus(await api.post('/tokens', token('x'), keyed('k')), 201)
    const sent = JSON.stringify(token('x'))
    const headers = { ...keyed('k').headers, 'content-type': 'application/json' }
    for (const answer of [
      await api.post('/tokens', token('y'), keyed('k')),
      await api.send('POST', '/tokens', { body: ` ${sent}`, headers }),
      await api.patch('/config', token('x'), keyed('k')),
      await api.delete(`/tokens/${tokenId}`, keyed('k')),
    ]) {
      expectError(answer, 409, 'IDEMPOTENCY_KEY_REUSED')
    }
    assert.equal(isReplay(await api.post('/tokens', token('x'), keyed('k'))), true)
  })

  test('CORE-42 the same key while the first request runs is IN_USE, and a replay afterwards', async () => {
    const { api, platformId } = await kit.platform()
    const send = () => api.patch('/config', { umaDomain: 'slow.example.com' }, keyed('k'))
    let first: Promise<Answer> | undefined
    await kit.florin.deps.db.transaction(async (tx) => {
      await tx.run(
        sql`select 1 from platforms where id = ${platformId.replace('Platform:', '')} for update`,
      )
      first = send()
      // It has the key once it waits for the row; a second one sent before might be faster, and wait for us forever.
      await eventually(async () => assert.equal(await waitingForLocks(), 1))
      expectError(await send(), 409, 'IDEMPOTENCY_KEY_IN_USE')
    })
    assert.ok(first)
    const answer = await first
    expectStatus(answer, 200)
    const replay = await send()
    assert.deepEqual([replay.text, isReplay(replay)], [answer.text, true])
  })

  test('CORE-42 a key is free again after 24 hours of the platform’s clock', async () => {
    const { api } = await kit.platform()
    const send = () => api.post('/tokens', token('daily'), keyed('k'))
    const advance = async (advanceSeconds: number) =>
      expectStatus(await api.post('/sandbox/clock', { advanceSeconds }), 200)
    expectStatus(await send(), 201)
    await advance(24 * 3600 - 60)
    assert.equal(isReplay(await send()), true)
    await advance(60)
    const later = await send()
    assert.deepEqual([later.status, isReplay(later)], [201, false])
    assert.equal(isReplay(await send()), true)
    assert.equal(await count(api, 'daily'), 2)
  })
})

async function waitingForLocks(): Promise<number> {
  const { count } = await kit.florin.deps.db.read.one<{ count: number }>(
    sql`select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return count
}

test('CORE-42 CORE-44 twenty racing requests under one key have one effect', async () => {
  const { api } = await kit.platform()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.post('/tokens', token('race'), keyed('k'))),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.filter((answer) => !isReplay(answer)).length, 1)
  assert.equal(new Set(made.map(({ body }) => text(body.id))).size, 1)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectError(answer, 409, 'IDEMPOTENCY_KEY_IN_USE')
  }
  const { data } = expectStatus(await api.get('/tokens', { query: { name: 'race' } }), 200)
  assert.equal(data.length, 1)
})

/** How many blocks a question reads, beyond what it takes to plan it. */
async function blocksReadBy(run: (tx: Tx) => Promise<unknown>): Promise<number> {
  const { read } = kit.florin.deps.db
  let blocks = 0
  const ask = async ({ parts, values }: Sql): Promise<void> => {
    const [first = '', ...others] = parts
    const query = { parts: [`explain (analyze, buffers, format json) ${first}`, ...others], values }
    type Plan = Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>>
    const row = await read.one<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(query)
    const plan = row['QUERY PLAN'][0]?.Plan
    blocks += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }
  const maybe = (query: Sql) => ask(query).then(() => undefined)
  await run({ ...read, maybe, run: (query) => ask(query).then(() => 0) })
  return blocks
}

test('CORE-42 CORE-60 a sandbox ahead of time does not look through the keys of others to prune its own', async () => {
  const { read } = kit.florin.deps.db
  const { api, platformId } = await kit.platform()
  const ahead = new Date(Date.now() + 365 * DAY_MS)
  await read.run(
    sql`insert into idempotency_keys (platform_id, scope, key, fingerprint, status, headers, sealed, created_at)
        select ${newUuid()}, 'platform', n::text, '', 204, '{}', false,
          ${new Date()}::timestamptz + n * interval '1 millisecond' from generate_series(1, 20000) as n`,
  )
  expectStatus(await api.post('/tokens', token('x'), keyed('k')), 201)
  const id = mustParseId('platform', platformId)
  for (const ask of [
    (tx: Tx) => findOldestKey(tx, id),
    (tx: Tx) => pruneKeys(tx, id, ahead),
    (tx: Tx) => findOldestKey(tx, id),
  ]) {
    const blocks = await blocksReadBy(ask)
    assert.ok(blocks < 30, `${blocks} blocks`)
  }
  assert.equal(isReplay(await api.post('/tokens', token('x'), keyed('k'))), false, 'it was old')
})
