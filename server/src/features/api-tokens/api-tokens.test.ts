import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApiToken } from '../../../../sdk/src/index.ts'
import {
  basicAuth,
  client,
  expectError,
  expectFields,
  expectStatus,
  text,
  type Answer,
  type Api,
  type Body,
  type HasId,
  type Shown,
} from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { rowsReadBy } from '../../../test/kit/database/rows-read.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { listTokens } from './store.ts'

const kit = await startOwnKit()
const NOBODY = '00000000-0000-7000-8000-000000000000'

const create = async (api: Api, body: object = {}) =>
  expectStatus(await api.post('/tokens', { name: 'token', permissions: ['VIEW'], ...body }), 201)

const credentialsOf = (token: Shown<ApiToken>) => ({
  clientId: token.clientId,
  clientSecret: text(token.clientSecret),
})

const holder = async (api: Api, permissions: readonly string[]): Promise<Api> =>
  api.with(credentialsOf(await create(api, { permissions })))

const pathOf = (token: HasId) => `/tokens/${token.id}` as const

const withoutSecret = (token: Shown<ApiToken>) => {
  const { clientSecret: _secret, ...rest } = token
  return rest
}

const listed = async (api: Api, query = {}) =>
  expectStatus(await api.get('/tokens', { query }), 200).data

const names = (tokens: readonly Readonly<{ name: string }>[]) => tokens.map((one) => one.name)

describe('creating', () => {
  test('TOK-1 a name is trimmed and need not be unique; permissions are ordered and named once', async () => {
    const { api } = await kit.platform()
    const permissions = ['MANAGE', 'VIEW', 'MANAGE', 'TRANSACT', 'VIEW']
    const [one, other] = await Promise.all([
      create(api, { name: '  ci \n', permissions }),
      create(api, { name: 'ci', permissions: ['MANAGE'] }),
    ])
    assert.deepEqual([one.name, other.name], ['ci', 'ci'])
    assert.deepEqual(one.permissions, ['VIEW', 'TRANSACT', 'MANAGE'])
    const longest = '🙂'.repeat(255)
    assert.equal((await create(api, { name: ` ${longest} ` })).name, longest)
  })

  test('TOK-1 CORE-30 everything wrong with a request is named at once, with what was broken', async () => {
    const { api } = await kit.platform()
    const send = (body: unknown) => api.post('/tokens', body)
    expectFields(await send({}), ['name', 'permissions'])
    const errors = expectFields(await send({ name: '   ', permissions: ['READ', 'VIEW', 5] }), [
      'name',
      'permissions.0',
      'permissions.2',
    ])
    const constraints = new Map(errors.map((one) => [text(one['field']), one['constraint']]))
    assert.deepEqual(constraints.get('name'), { minLength: 1 })
    assert.deepEqual(constraints.get('permissions.0'), { enum: ['VIEW', 'TRANSACT', 'MANAGE'] })
    for (const name of ['', 'a\u0007b', 'a\nb', 'x'.repeat(256), 5, null, ['ci']]) {
      expectFields(await send({ name, permissions: ['VIEW'] }), ['name'])
    }
    for (const permissions of [[], 'VIEW', null, {}]) {
      expectFields(await send({ name: 'ci', permissions }), ['permissions'])
    }
  })

  test('TOK-2 CORE-20 the client id and the id both serve as user name', async () => {
    const { api } = await kit.platform()
    const token = await create(api)
    const { clientId, clientSecret } = credentialsOf(token)
    assert.equal(clientId, token.id.replace('Token:', '').replaceAll('-', ''))
    assert.match(clientId, /^[0-9a-f]{32}$/)
    for (const user of [clientId, token.id]) {
      expectStatus(await api.with({ clientId: user, clientSecret }).get('/tokens'), 200)
    }
  })

  test('TOK-3 the secret is 256 random bits, shown once', async () => {
    const { api } = await kit.platform()
    const [token, other] = await Promise.all([create(api), create(api)])
    const secret = text(token.clientSecret)
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
    assert.notEqual(secret, other.clientSecret)
    assert.deepEqual(expectStatus(await api.get(pathOf(token)), 200), withoutSecret(token))
    for (const one of await listed(api)) assert.equal(one.clientSecret, undefined)
  })

  test('TOK-3 CORE-41 a replayed creation answers the same token without its secret', async () => {
    const { api } = await kit.platform()
    const options = { headers: { 'idempotency-key': 'once' } }
    const send = () => api.post('/tokens', { name: 'keyed', permissions: ['VIEW'] }, options)
    const first = expectStatus(await send(), 201)
    const replay = await send()
    assert.deepEqual(expectStatus(replay, 201), withoutSecret(first))
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
    expectStatus(await api.with(credentialsOf(first)).get('/tokens'), 200)
    assert.equal((await listed(api, { name: 'keyed' })).length, 1)
  })

  test('TOK-4 a token grants only what it holds itself', async () => {
    const { api } = await kit.platform()
    const manager = await holder(api, ['MANAGE'])
    for (const [permissions, missing] of [
      [['TRANSACT'], 'TRANSACT'],
      [['MANAGE', 'VIEW'], 'VIEW'],
    ] as const) {
      const details = expectError(
        await manager.post('/tokens', { name: 'more', permissions }),
        403,
        'FORBIDDEN',
      )
      assert.equal(details['requiredPermission'], missing)
    }
    await create(manager, { name: 'as much', permissions: ['MANAGE'] })
    assert.deepEqual(await listed(api, { name: 'more' }), [])
  })

  test('TOK-5 a new token works at once, with exactly its permissions', async () => {
    const { api } = await kit.platform()
    const viewer = await holder(api, ['VIEW'])
    expectStatus(await viewer.get('/config'), 200)
    const details = expectError(await viewer.patch('/config', {}), 403, 'FORBIDDEN')
    assert.equal(details['requiredPermission'], 'MANAGE')
  })
})

describe('deleting', () => {
  test('TOK-5 a deleted token is refused from the next request on, also while it is being used', async () => {
    const { api } = await kit.platform()
    for (let round = 0; round < 5; round += 1) {
      const token = await create(api)
      const user = api.with(credentialsOf(token))
      const running = Array.from({ length: 5 }, () => user.get('/config'))
      const deleted = await api.delete(pathOf(token))
      assert.equal(deleted.status, 204)
      assert.equal(deleted.text, '')
      expectError(await user.get('/config'), 401, 'UNAUTHORIZED')
      for (const { status } of await Promise.all(running)) assert.ok([200, 401].includes(status))
      expectError(await user.get('/config'), 401, 'UNAUTHORIZED')
    }
  })

  test('TOK-5 CORE-81 another process on the same database refuses it too, within 5 s', async () => {
    const baseUrl = await kit.neighbour()
    const platform = await kit.platform()
    const token = await create(platform.api)
    const there = client(baseUrl, credentialsOf(token))
    expectStatus(await there.get('/config'), 200)
    expectStatus(await platform.api.delete(pathOf(token)), 204)
    await eventually(async () => assert.equal((await there.get('/config')).status, 401), 5_000)
    expectStatus(await client(baseUrl, platform).get('/config'), 200)
  })

  test('TOK-6 a token cannot delete itself', async () => {
    const { api, tokenId } = await kit.platform()
    expectFields(await api.delete(`/tokens/${tokenId}`), ['tokenId'])
    expectStatus(await api.get('/config'), 200)
  })

  test('TOK-6 of twenty racing deletions one takes effect, and a later one finds nothing', async () => {
    const { api } = await kit.platform()
    const token = await create(api)
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.delete(pathOf(token))))
    const refused = answers.filter(({ status }) => status !== 204)
    assert.equal(refused.length, 19)
    for (const answer of refused) expectError(answer, 404, 'TOKEN_NOT_FOUND')
    expectError(await api.delete(pathOf(token)), 404, 'TOKEN_NOT_FOUND')
  })

  test('TOK-6 CORE-44 tokens that delete one another leave one alive', async () => {
    const { api, tokenId } = await kit.platform()
    for (let round = 0; round < 5; round += 1) {
      const permissions = ['VIEW', 'TRANSACT', 'MANAGE']
      const [one, other] = await Promise.all([
        create(api, { permissions }),
        create(api, { permissions }),
      ])
      const answers = await Promise.all([
        api.with(credentialsOf(one)).delete(pathOf(other)),
        api.with(credentialsOf(other)).delete(pathOf(one)),
      ])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 401])
    }
    assert.equal((await listed(api)).length, 6)
    expectStatus(await api.get(`/tokens/${tokenId}`), 200)
  })

  test('CORE-41 TOK-6 that the deleting token was deleted meanwhile is kept under no key', async () => {
    const { api, platformId } = await kit.platform()
    const permissions = ['VIEW', 'MANAGE']
    const [deleting, target] = [await create(api, { permissions }), await create(api)]
    const headers = { 'idempotency-key': 'one key' }
    let first: Promise<Answer> | undefined
    await kit.florin.deps.db.transaction(async (tx) => {
      await tx.run(
        sql`update api_tokens set deleted_at = created_at
            where platform_id = ${mustParseId('platform', platformId)}
              and id = ${mustParseId('token', deleting.id)}`,
      )
      first = api.with(credentialsOf(deleting)).delete(pathOf(target), { headers })
      await eventually(async () => {
        const { count } = await kit.florin.deps.db.read.one<{ count: number }>(
          sql`select count(*)::integer as count from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`,
        )
        assert.equal(count, 1)
      })
    })
    assert.ok(first)
    expectError(await first, 401, 'UNAUTHORIZED')
    expectStatus(await api.delete(pathOf(target), { headers }), 204)
  })

  test('TOK-7 a token is never changed', async () => {
    const { api } = await kit.platform()
    const token = await create(api)
    assert.equal(token.createdAt, token.updatedAt)
    for (const method of ['PATCH', 'PUT', 'POST']) {
      const answer = await api.send(method, pathOf(token))
      expectError(answer, 405, 'METHOD_NOT_ALLOWED')
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, DELETE')
    }
  })

  test('CORE-92 a deletion leaves an audit entry that names who deleted what', async () => {
    const { api, tokenId } = await kit.platform()
    const token = await create(api)
    const requestId = 'a deletion to be remembered'
    await api.delete(pathOf(token), { headers: { 'x-request-id': requestId } })
    const entries = await kit.florin.deps.db.read.many<Body>(
      sql`select actor, action, resource from audit_entries where client_request_id = ${requestId}`,
    )
    const resource = token.id
    assert.deepEqual(entries, [{ actor: tokenId, action: 'deleteTokenById', resource }])
  })
})

describe('reading', () => {
  test('TOK-8 lists newest first, the operator’s first token included, deleted ones left out', async () => {
    const { api } = await kit.platform()
    for (const name of ['a', 'b', 'c']) await create(api, { name })
    const [, second] = await listed(api)
    expectStatus(await api.delete(pathOf(second!)), 204)
    assert.deepEqual(names(await listed(api)), ['c', 'a', 'first token'])
    expectError(await api.get(pathOf(second!)), 404, 'TOKEN_NOT_FOUND')
  })

  test('TOK-8 a name is matched as a whole and in its case', async () => {
    const { api } = await kit.platform()
    for (const name of ['ci', 'CI', 'ci 2', 'ci']) await create(api, { name })
    assert.deepEqual(names(await listed(api, { name: 'ci' })), ['ci', 'ci'])
    assert.deepEqual(names(await listed(api, { name: 'CI' })), ['CI'])
    assert.deepEqual(names(await listed(api, { name: '' })), [])
    assert.deepEqual(names(await listed(api, { name: '%' })), [])
  })

  test('TOK-9 CORE-3 tokens of another platform or environment are not there', async () => {
    const [own, other, production] = await Promise.all([
      kit.platform(),
      kit.platform(),
      kit.platform({ environment: 'PRODUCTION' }),
    ])
    const bodies = new Set<string>()
    const foreign = [other, production].map(({ tokenId }) => tokenId)
    const unknown = `Token:0199${foreign[0]?.slice(10)}`
    const uuid = own.tokenId.replace('Token:', '')
    const odd = [
      'x',
      'Token:x',
      uuid,
      `Customer:${uuid}`,
      own.tokenId.toUpperCase(),
      'T'.repeat(9000),
    ]
    for (const id of [...foreign, unknown, ...odd]) {
      for (const answer of [
        await own.api.get(`/tokens/${encodeURIComponent(id)}`),
        await own.api.delete(`/tokens/${encodeURIComponent(id)}`),
      ]) {
        expectError(answer, 404, 'TOKEN_NOT_FOUND')
        bodies.add(answer.text)
      }
    }
    assert.equal(bodies.size, 1)
    assert.deepEqual(
      (await listed(own.api)).map((one) => one.id),
      [own.tokenId],
    )
    for (const { api } of [other, production]) expectStatus(await api.get('/config'), 200)
  })

  test('TOK-10 without the permission nothing is learnt about ids and bodies', async () => {
    const { api, tokenId } = await kit.platform()
    const [viewer, manager] = await Promise.all([holder(api, ['VIEW']), holder(api, ['MANAGE'])])
    const bodies = new Set<string>()
    for (const path of [`/tokens/${tokenId}`, '/tokens/x']) {
      const answer = await viewer.delete(path)
      expectError(answer, 403, 'FORBIDDEN')
      bodies.add(answer.text)
      expectError(await manager.get(path), 403, 'FORBIDDEN')
    }
    for (const body of ['{', '[]', '{"name":"ok","permissions":["VIEW"]}']) {
      const headers = { 'content-type': 'application/json' }
      const answer = await viewer.send('POST', '/tokens', { headers, body })
      expectError(answer, 403, 'FORBIDDEN')
      bodies.add(answer.text)
    }
    assert.equal(bodies.size, 1)
  })

  test('TOK-11 each operation on tokens names the permission it needs', async () => {
    const { api, tokenId } = await kit.platform()
    const trader = await holder(api, ['TRANSACT'])
    for (const [method, path, needed] of [
      ['POST', '/tokens', 'MANAGE'],
      ['GET', '/tokens', 'VIEW'],
      ['GET', `/tokens/${tokenId}`, 'VIEW'],
      ['DELETE', `/tokens/${tokenId}`, 'MANAGE'],
    ] as const) {
      const details = expectError(await trader.send(method, path), 403, 'FORBIDDEN')
      assert.deepEqual(details, { requiredPermission: needed }, `${method} ${path}`)
    }
  })

  test('TOK-3 CORE-91 neither the secret nor the Authorization header is ever shown in a refusal', async () => {
    const { api, clientId, clientSecret } = await kit.platform()
    const header = basicAuth({ clientId, clientSecret })
    for (const answer of [
      await api.post('/tokens', { name: '', permissions: [clientSecret] }),
      await api.get(`/tokens/${clientSecret}`),
      await api.get('/tokens', { query: { cursor: clientSecret } }),
    ]) {
      assert.ok(!answer.text.includes(clientSecret) && !answer.text.includes(header), answer.text)
    }
  })
})

describe('paging', () => {
  const platformWith = async (count: number): Promise<TestPlatform> => {
    const platform = await kit.platform()
    for (let n = 1; n < count; n += 1) await create(platform.api, { name: `token ${n}` })
    return platform
  }
  const pageOf = async (api: Api, query: object) =>
    expectStatus(await api.get('/tokens', { query: { ...query } }), 200)

  test('CORE-50 CORE-51 pages neither repeat nor skip what existed when paging began', async () => {
    const { api } = await platformWith(25)
    const all = names(await listed(api, { limit: 100 }))
    const seen: string[] = []
    let cursor: string | undefined
    const sizes: number[] = []
    do {
      const page = await pageOf(api, { limit: 10, cursor })
      const data = page.data
      sizes.push(data.length)
      seen.push(...names(data))
      cursor = page.nextCursor === undefined ? undefined : page.nextCursor
      assert.equal(page.hasMore, cursor !== undefined)
      assert.equal(page.totalCount, 25 + sizes.length - 1)
      // What comes and goes meanwhile does not shift the pages.
      await create(api, { name: 'meanwhile' })
    } while (cursor !== undefined)
    assert.deepEqual(sizes, [10, 10, 5])
    assert.deepEqual(seen, all)
  })

  test('CORE-50 without a limit a page holds 20', async () => {
    const { api } = await platformWith(21)
    const page = await pageOf(api, {})
    assert.equal(page.data.length, 20)
    assert.equal(page.hasMore, true)
  })

  test('CORE-50 a page that ends exactly with the list has no more', async () => {
    const { api } = await platformWith(3)
    const page = await pageOf(api, { limit: 3 })
    assert.deepEqual(
      [page.data.length, page.hasMore, page.nextCursor, page.totalCount],
      [3, false, undefined, 3],
    )
  })

  test('CORE-50 a cursor is good for its own list, filters and platform only', async () => {
    const [{ api }, other] = await Promise.all([platformWith(3), platformWith(3)])
    const cursor = text((await pageOf(api, { limit: 1 })).nextCursor)
    expectStatus(await api.get('/tokens', { query: { limit: 2, cursor } }), 200)
    const tampered = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`
    for (const answer of [
      await api.get('/tokens', { query: { cursor: tampered } }),
      await api.get('/tokens', { query: { cursor: `${cursor}=` } }),
      await api.get('/tokens', { query: { cursor, name: 'token 1' } }),
      await other.api.get('/tokens', { query: { cursor } }),
      await api.get('/uma-providers', { query: { cursor } }),
      await api.get('/tokens', { query: { cursor: '=' } }),
    ]) {
      expectFields(answer, ['cursor'])
    }
  })

  test('CORE-50 CORE-53 filters apply to every page', async () => {
    const { api } = await kit.platform()
    for (let n = 0; n < 5; n += 1) {
      await create(api, { name: 'wanted' })
      await create(api, { name: 'other' })
    }
    const first = await pageOf(api, { name: 'wanted', limit: 3 })
    assert.equal(first.totalCount, 5)
    const rest = await pageOf(api, { name: 'wanted', limit: 3, cursor: first.nextCursor })
    const found = [...first.data, ...rest.data]
    assert.deepEqual(names(found), Array<string>(5).fill('wanted'))
    assert.equal(new Set(found.map((one) => one.id)).size, 5)
  })

  test('CORE-53 bounds in time include their start and exclude their end; an inverted pair is empty', async () => {
    const { api } = await kit.platform()
    const token = await create(api)
    const at = token.createdAt
    const shift = (byMs: number): string => new Date(Date.parse(at) + byMs).toISOString()
    const isListed = async (query: object): Promise<boolean> =>
      (await listed(api, query)).some((one) => one.id === token.id)
    for (const name of ['created', 'updated']) {
      const [after, before] = [`${name}After`, `${name}Before`]
      assert.equal(await isListed({ [after]: at }), true)
      assert.equal(await isListed({ [after]: shift(1) }), false)
      assert.equal(await isListed({ [before]: at }), false)
      assert.equal(await isListed({ [before]: shift(1) }), true)
      assert.equal(await isListed({ [after]: at, [before]: shift(1) }), true)
      assert.deepEqual(await listed(api, { [after]: shift(1), [before]: shift(-1) }), [])
    }
    assert.equal(await isListed({ createdAfter: at, updatedBefore: at }), false)
  })

  test('CORE-5 bounds may carry any offset and must be instants that exist', async () => {
    const { api } = await kit.platform()
    const token = await create(api, { name: 'now' })
    const at = token.createdAt
    const elsewhere = new Date(Date.parse(at) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
    assert.deepEqual(names(await listed(api, { createdAfter: elsewhere, name: 'now' })), ['now'])
    const wrong = ['2025-02-30T00:00:00Z', '2025-02-30', '2025-01-01T00:00:00', 'yesterday', '']
    for (const createdAfter of wrong) {
      const answer = await api.get('/tokens', { query: { createdAfter, updatedBefore: 'x' } })
      expectFields(answer, ['createdAfter', 'updatedBefore'])
    }
  })

  test('CORE-52 a page reads little more than it shows, however deep it lies', async () => {
    const platformId = mustParseId('platform', (await kit.platform()).platformId)
    const { read } = kit.florin.deps.db
    await read.run(
      sql`insert into api_tokens (platform_id, id, name, permissions, secret_digest, created_at, updated_at)
          select ${platformId}, gen_random_uuid(), 'token ' || n % 10, '{VIEW}', '', at, at
          from generate_series(1, 5000) n, lateral (select '2026-01-01Z'::timestamptz + n * interval '1 s') t(at)`,
    )
    await read.run(sql`analyze api_tokens`)
    for (const name of [undefined, 'token 3']) {
      const filters = { name, createdFrom: undefined, createdUntil: undefined }
      for (const createdAt of ['2026-01-01T01:20:00Z', '2026-01-01T00:10:00Z']) {
        const page = { filters, after: { createdAt, id: NOBODY }, fetch: 21 }
        assert.equal((await listTokens(read, platformId, page)).length, 21)
        const cost = await rowsReadBy(read, (tx) => listTokens(tx, platformId, page))
        assert.ok(cost <= 2 * 21, `${cost} rows read behind ${createdAt}`)
      }
    }
  })
})

describe('acceptance scenarios of chapter 43', () => {
  test('a token that may only view changes nothing and ends when it is deleted', async () => {
    const { api } = await kit.platform()
    const token = await create(api, { name: 'ci', permissions: ['VIEW'] })
    const viewer = api.with(credentialsOf(token))
    expectStatus(await viewer.get('/config'), 200)
    const refused = await viewer.post('/customers', { customerType: 'INDIVIDUAL' })
    const details = expectError(refused, 403, 'FORBIDDEN')
    assert.equal(details['requiredPermission'], 'MANAGE')
    const shown = expectStatus(await api.get(pathOf(token)), 200)
    assert.equal(shown.clientSecret, undefined)
    expectStatus(await api.delete(pathOf(token)), 204)
    expectError(await viewer.get('/config'), 401, 'UNAUTHORIZED')
  })

  test('a token that may only manage grants nothing else', async () => {
    const { api } = await kit.platform()
    const manager = await holder(api, ['MANAGE'])
    const refused = await manager.post('/tokens', { name: 'pay', permissions: ['TRANSACT'] })
    expectError(refused, 403, 'FORBIDDEN')
  })

  test('neither the own token nor another platform’s can be deleted', async () => {
    const [own, other] = await Promise.all([kit.platform(), kit.platform()])
    expectError(await own.api.delete(`/tokens/${own.tokenId}`), 400, 'INVALID_INPUT')
    expectError(await own.api.delete(`/tokens/${other.tokenId}`), 404, 'TOKEN_NOT_FOUND')
  })

  test('bodies that are not JSON objects, and methods that do not exist, are refused', async () => {
    const { api } = await kit.platform()
    const send = (body: string, type = 'application/json') =>
      api.send('POST', '/tokens', { body, headers: { 'content-type': type } })
    expectError(await send('[]'), 400, 'INVALID_INPUT')
    expectError(await send('{'), 400, 'INVALID_REQUEST_FORMAT')
    expectError(await send('{}', 'text/plain'), 415, 'UNSUPPORTED_MEDIA_TYPE')
    const put = await api.put('/tokens', {})
    expectError(put, 405, 'METHOD_NOT_ALLOWED')
    assert.equal(put.headers.get('allow'), 'POST, GET, HEAD')
  })
})
