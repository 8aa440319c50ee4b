import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  expectError,
  expectStatus,
  text,
  type HasId,
  type Answer,
} from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { asOperator } from '../../../../test/kit/accounts/external-accounts.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import {
  advanceSeconds,
  burnBody,
  burnsOf,
  COINS,
  coinSetup,
  coinBody,
  mintBody,
  mintsOf,
  OPERATIONS,
  postKeyed,
  readOperation,
} from '../../../../test/kit/stablecoins.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { isOutside, type Job } from '../../../infra/jobs/job-handler.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { IssuerUnreachable, type StablecoinIssuer } from '../../../providers/stablecoin-issuer.ts'
import { beginOperation } from '../operations/begin-operation.ts'
import { describeToken } from '../coins/describe-token.ts'
import { stablecoinJobs } from '../jobs.ts'
import { orderOperation } from '../operations/order-operation.ts'
import { sandboxIssuer } from './sandbox-issuer.ts'
import { verifyCredentials } from '../links/verify-credentials.ts'
import { mintFromWire } from '../wire.ts'

const kit = await startOwnKit()

const given = () => coinSetup(kit)

const rowsOf = ({ platformId }: TestPlatform) =>
  kit.florin.deps.db.read.many<{ id: string; status: string }>(
    sql`select id, status from stablecoin_operations
        where platform_id = ${mustParseId('platform', platformId)} order by id`,
  )

test('STBL-18 while the provider is unreachable a mint or burn answers 503 with Retry-After and is not visible', async () => {
  const { platform, api, coin, wallet, bank } = await given()
  const description = 'out 003'
  for (const answer of [
    await postKeyed(api, mintsOf(coin), mintBody(wallet, { description })),
    await postKeyed(api, burnsOf(coin), burnBody(bank, { description })),
  ]) {
    expectError(answer, 503, 'SERVICE_UNAVAILABLE')
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
  const list = expectStatus(await api.get(`${COINS}/${coin.id}/operations`), 200)
  assert.deepEqual([list.data, list.totalCount], [[], 0])
  const rows = await rowsOf(platform)
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['CREATED', 'CREATED'],
  )
  for (const { id } of rows) {
    const answer = await api.get(`${OPERATIONS}/StablecoinOperation:${id}`)
    expectError(answer, 404, 'REFERENCE_NOT_FOUND')
  }
})

test('STBL-18 a 503 is not stored: the same key tries again, under the same operation', async () => {
  const { platform, api, coin, wallet } = await given()
  const body = mintBody(wallet, { description: 'out 003' })
  for (let tries = 0; tries < 3; tries += 1) {
    expectError(await postKeyed(api, mintsOf(coin), body, 'again'), 503, 'SERVICE_UNAVAILABLE')
  }
  assert.equal((await rowsOf(platform)).length, 1)
  expectError(await postKeyed(api, mintsOf(coin), body, 'other'), 503, 'SERVICE_UNAVAILABLE')
  assert.equal((await rowsOf(platform)).length, 2)
})

test('CORE-42 a key whose operation waits for another try serves no other request, for 24 hours', async () => {
  const { platform, api, coin, wallet } = await given()
  const out = mintBody(wallet, { description: 'out 003' })
  const other = mintBody(wallet, { description: 'another' })
  expectError(await postKeyed(api, mintsOf(coin), out, 'kept'), 503, 'SERVICE_UNAVAILABLE')
  expectError(await postKeyed(api, mintsOf(coin), other, 'kept'), 409, 'IDEMPOTENCY_KEY_REUSED')
  await advanceSeconds(api, 86_400)
  const mint = expectStatus(await postKeyed(api, mintsOf(coin), other, 'kept'), 201)
  assert.deepEqual(
    (await rowsOf(platform)).map(({ status }) => status),
    ['CREATED', 'PENDING_FUNDING'],
  )
  await advanceSeconds(api, 86_400)
  const next = expectStatus(await postKeyed(api, mintsOf(coin), other, 'kept'), 201)
  assert.notEqual(next.id, mint.id)
})

/** A provider that is unreachable at first and records its calls. */
function flakyIssuer(failures: number): { issuer: StablecoinIssuer; keys: string[] } {
  const keys: string[] = []
  const issuer: StablecoinIssuer = {
    ...sandboxIssuer,
    startMint: (order) => {
      keys.push(order.idempotencyKey)
      if (keys.length <= failures) return Promise.reject(new IssuerUnreachable('out'))
      return sandboxIssuer.startMint(order)
    },
  }
  return { issuer, keys }
}

/** The steps of a mint request under one key, with a provider of the test's choice. */
async function mintWith(
  issuer: StablecoinIssuer,
  { platform, coin, wallet }: { platform: TestPlatform; coin: HasId; wallet: string },
  key: string,
) {
  const body = mintBody(wallet)
  const keyed = {
    platformId: mustParseId('platform', platform.platformId),
    scope: 'platform',
    key,
    fingerprint: createHash('sha256').update(JSON.stringify(body)).digest(),
  }
  const { deps } = kit.florin
  return orderOperation(
    {
      deps,
      platform: await asOperator(kit, platform, async (work) => work.platform),
      keyed,
      inWork: (work) => asOperator(kit, platform, work),
    },
    {
      stablecoinId: mustParseId('stablecoin', coin.id),
      order: mintFromWire(body as Parameters<typeof mintFromWire>[0]),
    },
    () => issuer,
  )
}

test('STBL-18 STBL-19 an unanswered order is tried again under one operation id and one provider key', async () => {
  const it = await given()
  const { issuer, keys } = flakyIssuer(2)
  for (let tries = 0; tries < 2; tries += 1) {
    await assert.rejects(mintWith(issuer, it, 'retried'), { code: 'SERVICE_UNAVAILABLE' })
  }
  const ordered = await mintWith(issuer, it, 'retried')
  const [row, ...others] = await rowsOf(it.platform)
  assert.equal(others.length, 0)
  assert.equal(ordered.id, row?.id)
  assert.equal(new Set(keys).size, 1)
  assert.match(keys[0] ?? '', new RegExp(ordered.id))

  const operation = await asOperator(kit, it.platform, (work) => beginOperation(work, ordered))
  assert.equal(operation.status, 'PENDING_FUNDING')
  await advanceSeconds(it.api, 61)
  const id = `StablecoinOperation:${operation.id}`
  assert.equal((await readOperation(it.api, id)).status, 'COMPLETED')
})

test('STBL-19 a crash after the provider answered is resumed with the provider’s own answer', async () => {
  const it = await given()
  const { issuer, keys } = flakyIssuer(0)
  const [lost, resumed] = [await mintWith(issuer, it, 'crash'), await mintWith(issuer, it, 'crash')]
  assert.deepEqual(resumed, lost)
  assert.deepEqual(keys, [keys[0], keys[0]])
})

test('STBL-19 an operation that has begun is answered as it is and not ordered again', async () => {
  const it = await given()
  const { issuer, keys } = flakyIssuer(0)
  const ordered = await mintWith(issuer, it, 'twin')
  const first = await asOperator(kit, it.platform, (work) => beginOperation(work, ordered))
  const again = await asOperator(kit, it.platform, (work) => beginOperation(work, ordered))
  assert.deepEqual(again, first)
  const later = await mintWith(issuer, it, 'twin')
  assert.deepEqual(later, { id: ordered.id, started: undefined })
  assert.equal(keys.length, 1)
  const shown = await asOperator(kit, it.platform, (work) => beginOperation(work, later))
  assert.deepEqual(shown, first)
})

test('STBL-19 other operations have other provider keys', async () => {
  const it = await given()
  const { issuer, keys } = flakyIssuer(0)
  for (let n = 0; n < 3; n += 1) await mintWith(issuer, it, randomUUID())
  assert.equal(new Set(keys).size, 3)
})

const OUT = () => Promise.reject(new IssuerUnreachable('out'))
const outIssuer: StablecoinIssuer = {
  verifyCredentials: OUT,
  describeToken: OUT,
  startMint: OUT,
  startBurn: OUT,
  report: OUT,
}

test('STBL-18 while the provider is unreachable nothing is linked or registered', async () => {
  const it = await given()
  const credentials = { apiClientId: 'acme', apiClientSecret: 's3cr3t' }
  const refusal = { code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '30' } }
  await assert.rejects(
    verifyCredentials(
      { issuer: outIssuer, servedBy: null },
      { credentials, providerAccountId: undefined, requestKey: 'one' },
    ),
    refusal,
  )
  const platform = await asOperator(kit, it.platform, async (work) => work.platform)
  const { deps } = kit.florin
  const request = coinBody() as Parameters<typeof describeToken>[1]
  const asking = { deps, platform, requestKey: 'one' }
  await assert.rejects(
    describeToken(asking, request, () => outIssuer),
    refusal,
  )
})

test('STBL-18 a job that finds the provider unreachable asks again a minute later', async () => {
  const { platform, api, coin, wallet } = await given()
  const mint = expectStatus(await postKeyed(api, mintsOf(coin), mintBody(wallet)), 201)
  const id = mustParseId('platform', platform.platformId)
  const { deps } = kit.florin
  const job = await deps.db.read.one<Job>(
    sql`select id, payload, due_at, attempts from jobs
        where platform_id = ${id} and name = 'stablecoins.follow-operation'`,
  )
  const handler = stablecoinJobs(() => outIssuer).find(
    ({ name }) => name === 'stablecoins.follow-operation',
  )
  assert.ok(handler && isOutside(handler))
  await asOperator(kit, platform, async (work) => {
    const settle = await handler.call(deps, work.platform, job)
    await settle({ ...work, now: job.dueAt })
    await work.tx.run(sql`delete from jobs where platform_id = ${id} and id = ${job.id}`)
  })
  await advanceSeconds(api, 62)
  assert.equal((await readOperation(api, mint.id)).status, 'PENDING_FUNDING')
  await advanceSeconds(api, 30)
  assert.equal((await readOperation(api, mint.id)).status, 'COMPLETED')
})

test('STBL-19 twenty equal mints under one key at once make one operation', async () => {
  const { platform, api, coin, wallet } = await given()
  const body = mintBody(wallet)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => postKeyed(api, mintsOf(coin), body, 'one-key')),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.ok(made.length >= 1)
  assert.equal(new Set(made.map((answer) => text(answer.body.id))).size, 1)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectError(answer, 409, 'IDEMPOTENCY_KEY_IN_USE')
  }
  assert.equal((await rowsOf(platform)).length, 1)
  const replay = await postKeyed(api, mintsOf(coin), body, 'one-key')
  assert.deepEqual(expectStatus(replay, 201), made[0]?.body)
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  await advanceSeconds(api, 61)
  const list = expectStatus(await api.get(`${COINS}/${coin.id}/operations`), 200)
  assert.deepEqual(
    list.data.map(({ status }) => status),
    ['COMPLETED'],
  )
})

test('CORE-42 STBL-1 a mint under a key that another request holds does not reach the provider', async () => {
  const { platform, api, coin, wallet } = await given()
  const { db } = kit.florin.deps
  const headers = { 'idempotency-key': 'shared' }
  let slower: Promise<Answer> | undefined
  await db.transaction(async (tx) => {
    await tx.run(sql`lock table customers in share mode`)
    slower = api.post('/customers', { customerType: 'INDIVIDUAL' }, { headers })
    const waiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await eventually(async () => assert.equal(await db.read.run(waiting), 1))
    const mint = await postKeyed(api, mintsOf(coin), mintBody(wallet), 'shared')
    expectError(mint, 409, 'IDEMPOTENCY_KEY_IN_USE')
  })
  assert.equal((await slower)?.status, 201)
  const later = await postKeyed(api, mintsOf(coin), mintBody(wallet), 'shared')
  expectError(later, 409, 'IDEMPOTENCY_KEY_REUSED')
  assert.deepEqual(await rowsOf(platform), [])
})

test('STBL-1 twenty mints under different keys make twenty operations', async () => {
  const { api, coin, wallet } = await given()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => postKeyed(api, mintsOf(coin), mintBody(wallet))),
  )
  const ids = new Set(answers.map((answer) => expectStatus(answer, 201).id))
  assert.equal(ids.size, 20)
})
