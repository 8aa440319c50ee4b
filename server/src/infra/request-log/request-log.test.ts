import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, text, type Body } from '../../../test/kit/api.ts'
import { OWNED } from '../../../test/contract/owned-resources.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { addMs, DAY_MS } from '../../kernel/clock.ts'
import { HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import { sql } from '../db/statement/sql.ts'
import { pruneRequests } from './store.ts'

const kit = await startOwnKit({ REQUEST_LOG_ROWS: '1000' })
const { db, settings, clock } = kit.florin.deps
const platform = await kit.platform()
const { api, platformId } = platform

const PERSON = { customerType: 'INDIVIDUAL', fullName: 'Wilhelmina Kept', region: 'US' }

const list = (options = ''): Promise<Body[]> =>
  operate<Body[]>(kit, `requests list --platform ${platformId}${options}`)

/** A line is written within a second of its answer. */
const shown = (requestId: string | null): Promise<Body> =>
  eventually(() => operate(kit, `requests show ${requestId}`))

const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id') ?? ''

test('OPER-100 OPER-101 a request is found by the id of its answer, with redacted bodies that are sealed', async () => {
  const body = { ...PERSON, taxId: '123-45-6789' }
  const made = await api.post('/customers', body, { headers: { 'idempotency-key': 'k-100' } })
  const { id } = expectStatus(made, 201)
  const found = await shown(idOf(made))
  assert.partialDeepStrictEqual(found, {
    platformId,
    method: 'POST',
    path: '/2025-10-13/customers',
    status: 201,
    idempotencyKey: 'k-100',
    request: { fullName: body.fullName },
    response: { id },
  })
  assert.match(text(found['actor']), /^Token:/)
  assert.ok(!JSON.stringify(found).includes('123-45-6789'))
  const rows = await db.read.many<{ row: string }>(
    sql`select encode(content, 'escape') || r::text as row from request_log r`,
  )
  assert.ok(!JSON.stringify(rows).includes(body.fullName), 'nothing of it is readable in the table')
})

test('OPER-100 refusals are there with their code, before authentication without a platform', async () => {
  const missing = await api.get('/customers/Customer:x')
  expectError(missing, 404, 'USER_NOT_FOUND')
  assert.partialDeepStrictEqual(await shown(idOf(missing)), { error: 'USER_NOT_FOUND', platformId })
  const secret = { headers: { authorization: 'Basic eDp5' }, method: 'POST', body: '{"a":1}' }
  const refused = await fetch(`${kit.baseUrl}/customers`, secret)
  assert.equal(refused.status, 401)
  const found = await shown(idOf(refused))
  const house = `Platform:${HOUSE_PLATFORM_IDS.PRODUCTION}`
  assert.partialDeepStrictEqual(found, { error: 'UNAUTHORIZED', status: 401, platformId: house })
  assert.ok(!('request' in found) && !('actor' in found))
  const nowhere = await fetch(`${kit.baseUrl}/nothing-here`)
  assert.partialDeepStrictEqual(await shown(idOf(nowhere)), { status: 404, platformId: house })
})

test('OPER-100 a token without the permission is refused under its platform', async () => {
  const made = expectStatus(
    await api.post('/tokens', { name: 'reader', permissions: ['VIEW'] }),
    201,
  )
  const authorization = `Basic ${btoa(`${made.clientId}:${made.clientSecret}`)}`
  const refused = await fetch(`${kit.baseUrl}/customers`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(refused.status, 403)
  assert.partialDeepStrictEqual(await shown(idOf(refused)), { error: 'FORBIDDEN', platformId })
})

test('OPER-101 codes and addresses in a path are not kept', async () => {
  const code = await api.get('/invitations/INV-SECRET')
  assert.equal((await shown(idOf(code)))['path'], '/2025-10-13/invitations/[redacted]')
  const payee = await api.get('/receiver/uma/$maria@sandbox.uma.test')
  assert.equal((await shown(idOf(payee)))['path'], '/2025-10-13/receiver/uma/[redacted]')
})

test('OPER-103 the list is filtered by status, method, path, token, id and time', async () => {
  const headers = { 'x-request-id': 'my own id' }
  await api.get('/config', { headers })
  const last = await api.get('/config', { headers })
  assert.equal(idOf(last), 'my own id')
  await eventually(async () => assert.equal((await list(' --path /config')).length, 2))
  const all = await list()
  const statuses = (lines: Body[]) => new Set(lines.map((line) => line['status']))
  assert.ok([...statuses(await list(' --status 4xx'))].every((one) => Number(one) >= 400))
  assert.deepEqual(statuses(await list(' --status 201')), new Set([201]))
  const posts = await list(' --method POST')
  assert.ok(posts.length > 0 && posts.every((line) => text(line['method']) === 'POST'))
  const token = text(all[0]?.['actor'])
  assert.ok((await list(` --token ${token}`)).every((line) => text(line['actor']) === token))
  const byId = await operate<Body[]>(kit, 'requests list --request-id', 'my own id')
  assert.equal(byId.length, 2)
  assert.equal(
    (await operate(kit, 'requests show', 'my own id'))['requestId'],
    byId[0]?.['requestId'],
  )
  const [newest, second] = all.map((line) => text(line['requestId']))
  assert.equal((await list(` --before ${newest} --limit 1`))[0]?.['requestId'], second)
  const hourAgo = addMs(clock.now(), -3_600_000).toISOString()
  assert.equal((await list(` --since ${hourAgo}`)).length, all.length)
  assert.deepEqual(await list(` --until ${hourAgo}`), [])
  for (const wrong of ['--status 9', '--since yesterday', '--before x', '--limit 101'])
    await assert.rejects(list(` ${wrong}`), /--(status|since|before|limit) is/)
})

test('OPER-101 an erased customer’s bodies go, and those that name nothing', async () => {
  const other = await OWNED['customerId']?.(platform)
  const made = await api.post('/customers', PERSON)
  const { id } = expectStatus(made, 201)
  const refused = await api.post('/customers', { customerType: 'INDIVIDUAL', fullName: 7 })
  const kept = await api.get(`/customers/${other}`)
  await eventually(() => shown(idOf(kept)))
  expectStatus(await api.delete(`/customers/${id}`), 200)
  await operate(kit, `customers erase ${id} --override-period --note`, 'asked for')
  for (const one of [made, refused]) assert.ok(!('request' in (await shown(idOf(one)))))
  assert.ok('response' in (await shown(idOf(kept))), 'others stay')
})

test('OPER-102 what is beyond a second’s share is dropped and counted', async () => {
  const flood = Array.from({ length: 60 }, () => fetch(`${kit.baseUrl}/flood`))
  await Promise.all(flood)
  const counts = await eventually(async () => {
    const found = await operate<{ requests: number }>(kit, 'requests dropped')
    assert.ok(found.requests > 0)
    return found
  })
  const figures = await kit.florin.metrics.registry.metrics()
  assert.ok(
    figures.includes(`florin_request_log_dropped_total{what="requests"} ${counts.requests}`),
  )
  const own = await operate<{ requests: number }>(kit, `requests dropped --platform ${platformId}`)
  assert.equal(own.requests, 0, 'a flood of strangers takes nothing from a platform')
})

test('OPER-103 lines go after their days, and the oldest of a platform that has too many', async () => {
  await db.read.run(
    sql`insert into request_log (platform_id, id, at, method, path, status, duration_ms)
        select ${platformId.replace('Platform:', '')}, gen_random_uuid(), now(), 'GET', '/old', 200, 1
        from generate_series(1, 1200)`,
  )
  const count = async () =>
    (
      await db.read.one<{ count: number }>(
        sql`select count(*)::int as count from request_log where platform_id = ${platformId.replace('Platform:', '')}`,
      )
    ).count
  await pruneRequests(db, settings, clock.now())
  assert.ok((await count()) <= 1_000)
  await pruneRequests(db, settings, addMs(clock.now(), 400 * 365 * DAY_MS))
  const { left } = await db.read.one<{ left: number }>(
    sql`select count(*)::int as left from request_log where path <> '/old'`,
  )
  assert.equal(left, 0)
})
