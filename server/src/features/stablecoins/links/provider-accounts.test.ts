import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { StablecoinProviderAccount } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import { asOperator } from '../../../../test/kit/accounts/external-accounts.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import {
  advanceSeconds,
  burnBody,
  burnsOf,
  COINS,
  coinBody,
  LINKS,
  linkBody,
  mintBody,
  mintsOf,
  newLink,
  postKeyed,
} from '../../../../test/kit/stablecoins.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { describeApi } from '../../../infra/http/schema/openapi.ts'
import { redact } from '../../../infra/logging/redact.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { findPlatformOfLink, revokeLink, routes } from '../index.ts'

const kit = await startKit()

test('STBL-1 the four POSTs need an Idempotency-Key and report it missing together with wrong fields', async () => {
  const { api } = await kit.platform()
  const coin = `${COINS}/Stablecoin:${randomUUID()}`
  for (const path of [LINKS, COINS, `${coin}/mints`, `${coin}/burns`]) {
    const errors = items(expectError(await api.post(path, {}), 400, 'INVALID_INPUT')['errors'])
    const named = errors.map((error) => text(error['field']))
    assert.ok(named.includes('Idempotency-Key') && named.length > 1, `${path}: ${named.join()}`)
  }
  expectFields(await api.post(LINKS, linkBody()), ['Idempotency-Key'])
  expectFields(await postKeyed(api, LINKS, linkBody(), ''), ['Idempotency-Key'])
  expectFields(await postKeyed(api, LINKS, linkBody(), 'k'.repeat(256)), ['Idempotency-Key'])
  expectFields(await postKeyed(api, LINKS, linkBody(), 'schlüssel'), ['Idempotency-Key'])
  expectStatus(await postKeyed(api, LINKS, linkBody(), 'k'.repeat(255)), 201)
})

test('STBL-1 the key is required in the published description', () => {
  const { paths } = describeApi({
    operations: routes,
    webhooks: [],
    serverUrl: kit.baseUrl,
    brand: undefined,
  }) as { paths: Record<string, { post?: { parameters: { name: string; required: boolean }[] } }> }
  const posts = Object.values(paths).flatMap(({ post }) => post ?? [])
  assert.equal(posts.length, 4)
  for (const { parameters } of posts) {
    assert.equal(parameters.find(({ name }) => name === 'Idempotency-Key')?.required, true)
  }
})

test('STBL-1 CORE-41 CORE-42 a link is replayed under its key, and the key serves nothing else', async () => {
  const { api } = await kit.platform()
  const body = linkBody()
  const first = await postKeyed(api, LINKS, body, 'link-key')
  const again = await postKeyed(api, LINKS, body, 'link-key')
  assert.deepEqual(expectStatus(again, 201), expectStatus(first, 201))
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(first.headers.get('idempotent-replayed'), null)
  expectError(await postKeyed(api, LINKS, linkBody(), 'link-key'), 409, 'IDEMPOTENCY_KEY_REUSED')
})

test('CORE-41 a refusal of the provider is stored under the key', async () => {
  const { api } = await kit.platform()
  const body = linkBody({ apiClientId: 'bad_002' })
  const code = 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'
  expectError(await postKeyed(api, LINKS, body, 'refused'), 400, code)
  const again = await postKeyed(api, LINKS, body, 'refused')
  expectError(again, 400, code)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('section 1: a link shows its fields and nothing of its credentials', async () => {
  const { api } = await kit.platform()
  const link = await newLink(api, { apiClientId: 'acme_client' })
  const { id, createdAt, updatedAt, lastVerifiedAt, ...rest } = link
  assert.match(id, /^StablecoinProviderAccount:[0-9a-f-]{36}$/)
  assert.equal(updatedAt, createdAt)
  assert.equal(lastVerifiedAt, createdAt)
  assert.deepEqual(rest, {
    provider: 'BRALE',
    providerAccountId: 'acct_c4981243aec56ba4',
    providerEnvironment: 'SANDBOX',
    status: 'ACTIVE',
  })
  assert.deepEqual(expectStatus(await api.get(`${LINKS}/${id}`), 200), link)
})

test('STBL-2 every field that breaks a rule is named in one answer', async () => {
  const { api } = await kit.platform()
  const long = 'x'.repeat(513)
  const errors = expectFields(
    await postKeyed(api, LINKS, {
      provider: 'ACME',
      apiClientId: '',
      apiClientSecret: long,
      providerAccountId: 'x'.repeat(129),
    }),
    ['provider', 'apiClientId', 'apiClientSecret', 'providerAccountId'],
  )
  const constraint = (field: string) =>
    errors.find((error) => text(error['field']) === field)?.['constraint']
  assert.deepEqual(constraint('provider'), { enum: ['BRALE'] })
  assert.deepEqual(constraint('apiClientId'), { minLength: 1 })
  assert.deepEqual(constraint('apiClientSecret'), { maxLength: 512 })
  assert.deepEqual(constraint('providerAccountId'), { maxLength: 128 })
  const longest = { apiClientId: 'x'.repeat(512), apiClientSecret: 'y'.repeat(512) }
  await newLink(api, { ...longest, providerAccountId: 'z'.repeat(128) })
})

test('STBL-3 refused credentials store nothing', async () => {
  const { api } = await kit.platform()
  const body = linkBody({ apiClientId: 'bad_002' })
  expectError(await postKeyed(api, LINKS, body), 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID')
  const { data, totalCount } = expectStatus(await api.get(LINKS), 200)
  assert.deepEqual(data, [])
  assert.equal(totalCount, 0)
})

test('STBL-4 the secret is stored encrypted and is in no answer, event or audit entry', async () => {
  const { api, platformId } = await kit.platform()
  const secret = `secret-${randomUUID()}`
  const key = randomUUID()
  const body = linkBody({ apiClientSecret: secret })
  const answers = [
    await postKeyed(api, LINKS, body, key),
    await postKeyed(api, LINKS, body, key),
    await postKeyed(api, LINKS, body),
    await postKeyed(api, LINKS, { ...body, providerAccountId: 5 }),
    await api.get(LINKS),
    await api.get('/events'),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 409, 400, 200, 200],
  )
  for (const answer of answers) assert.ok(!answer.text.includes(secret))
  const { read } = kit.florin.deps.db
  const id = mustParseId('platform', platformId)
  const rows = await read.many<{ row: string; credentials: Buffer }>(
    sql`select l::text as row, credentials from stablecoin_provider_accounts l where platform_id = ${id}`,
  )
  assert.equal(rows.length, 1)
  for (const { row, credentials } of rows) {
    assert.ok(!row.includes(secret) && !row.includes(body.apiClientId))
    assert.ok(!credentials.includes(secret) && !credentials.includes(body.apiClientId))
  }
  const elsewhere = await read.many<{ row: string }>(
    sql`select encode(body, 'escape') as row from idempotency_keys where platform_id = ${id}
        union all select a::text from audit_entries a where platform_id = ${id}
        union all select n::text from audit_notes n where platform_id = ${id}`,
  )
  assert.ok(elsewhere.length > 2)
  for (const { row } of elsewhere) assert.ok(!row.includes(secret))
  assert.ok(!JSON.stringify(redact({ body })).includes(secret))
})

test('STBL-5 without providerAccountId the only account is used, and several accounts are refused', async () => {
  const { api } = await kit.platform()
  const apiClientId = 'two_005'
  const [error] = expectFields(await postKeyed(api, LINKS, linkBody({ apiClientId })), [
    'providerAccountId',
  ])
  const offered = items(error?.['constraint']?.['enum']).map(text)
  assert.equal(offered.length, 2)
  const other = linkBody({ apiClientId, providerAccountId: 'another' })
  const [refused] = expectFields(await postKeyed(api, LINKS, other), ['providerAccountId'])
  assert.deepEqual(refused?.['constraint'], error?.['constraint'])
  for (const providerAccountId of offered) {
    const link = await newLink(api, { apiClientId, providerAccountId })
    assert.equal(link.providerAccountId, providerAccountId)
  }
  const named = await newLink(api, { providerAccountId: 'as I say' })
  assert.equal(named.providerAccountId, 'as I say')
})

const linkIdOf = ({ id }: HasId) => mustParseId('stablecoinProviderAccount', id)

test('STBL-6 a second link to one account is refused while the first is active', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const foreign = await kit.platform()
  const body = linkBody({ apiClientId: 'acme_003' })
  const first = expectStatus(await postKeyed(api, LINKS, body), 201)
  const conflict = expectError(await postKeyed(api, LINKS, body), 409, 'CONFLICT')
  assert.deepEqual(conflict, { stablecoinProviderAccountId: first.id })
  expectStatus(await postKeyed(foreign.api, LINKS, body), 201)

  await advanceSeconds(api, 31)
  const second = expectStatus(await postKeyed(api, LINKS, body), 201)
  assert.notEqual(second.id, first.id)
  await asOperator(kit, platform, (work) => revokeLink(work, linkIdOf(second)))
  expectStatus(await postKeyed(api, LINKS, body), 201)
})

test('STBL-6 of twenty links to one account at once one is made', async () => {
  const { api } = await kit.platform()
  const body = linkBody()
  const answers = await Promise.all(Array.from({ length: 20 }, () => postKeyed(api, LINKS, body)))
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 1)
  for (const answer of answers.filter((one) => one !== made[0])) {
    const details = expectError(answer, 409, 'CONFLICT')
    assert.equal(details['stablecoinProviderAccountId'], made[0]?.body.id)
  }
  assert.equal(expectStatus(await api.get(LINKS), 200).totalCount, 1)
})

test('CORE-42 of twenty equal requests under one key one makes the link', async () => {
  const { api } = await kit.platform()
  const body = linkBody()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => postKeyed(api, LINKS, body, 'one-key')),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.ok(made.length >= 1)
  assert.equal(new Set(made.map(({ text }) => text)).size, 1)
  assert.equal(made.filter(({ headers }) => !headers.get('idempotent-replayed')).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectError(answer, 409, 'IDEMPOTENCY_KEY_IN_USE')
  }
  assert.equal(expectStatus(await api.get(LINKS), 200).totalCount, 1)
})

for (const [suffix, status] of [
  ['003', 'INVALID'],
  ['004', 'REVOKED'],
]) {
  test(`section 6: a link of …${suffix} turns ${status} after 30 s, and leaves an audit entry`, async () => {
    const { api } = await kit.platform()
    const link = await newLink(api, { apiClientId: `acme_${suffix}` })
    const path = `${LINKS}/${link.id}` as const
    await advanceSeconds(api, 28)
    assert.equal(expectStatus(await api.get(path), 200).status, 'ACTIVE')
    await advanceSeconds(api, 3)
    const turned = expectStatus(await api.get(path), 200)
    assert.equal(turned.status, status)
    assert.equal(turned.lastVerifiedAt, link.lastVerifiedAt)
    const ageMs = Date.parse(turned.updatedAt) - Date.parse(link.createdAt)
    assert.equal(ageMs, 30_000)
    const actions = await kit.florin.deps.db.read.many<{ action: string; actor: string }>(
      sql`select action, actor from audit_entries where resource = ${link.id} order by id`,
    )
    assert.deepEqual(actions.slice(1), [
      { action: `stablecoinProviderAccount.${status}`, actor: 'system:stablecoins.verify-link' },
    ])
  })
}

test('section 3: the operator revokes an active or invalid link, once', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const revoke = (link: HasId) =>
    asOperator(kit, platform, (work) => revokeLink(work, linkIdOf(link)))
  const links = [await newLink(api), await newLink(api, { apiClientId: 'acme_003' })]
  await advanceSeconds(api, 31)
  const { read } = kit.florin.deps.db
  const owner = mustParseId('platform', platform.platformId)
  for (const link of links) {
    assert.equal(await findPlatformOfLink(read, linkIdOf(link)), owner)
    const revoked = await revoke(link)
    assert.equal(revoked.status, 'REVOKED')
    assert.ok(!('credentials' in revoked))
    assert.equal(expectStatus(await api.get(`${LINKS}/${link.id}`), 200).status, 'REVOKED')
    await assert.rejects(revoke(link), { code: 'INVALID_STATE_TRANSITION' })
  }
  const foreign = await newLink((await kit.platform()).api)
  await assert.rejects(revoke(foreign), { code: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND' })
})

test('STBL-22 links are listed newest first, filtered, paged, and only the platform’s own', async () => {
  const { api } = await kit.platform()
  await newLink((await kit.platform()).api)
  const links: Shown<StablecoinProviderAccount>[] = []
  for (const apiClientId of ['a', 'b_003', 'c', 'd_004', 'e']) {
    links.unshift(await newLink(api, { apiClientId }))
  }
  await advanceSeconds(api, 31)
  const ids = async (query: Record<string, string | number>): Promise<string[]> => {
    const { data } = expectStatus(await api.get(LINKS, { query }), 200)
    return data.map(({ providerAccountId }) => providerAccountId)
  }
  const all = links.map(({ providerAccountId }) => providerAccountId)
  assert.deepEqual(await ids({}), all)
  assert.deepEqual(await ids({ status: 'ACTIVE' }), [all[0], all[2], all[4]])
  assert.deepEqual(await ids({ status: 'INVALID', provider: 'BRALE' }), [all[3]])
  assert.deepEqual(await ids({ status: 'REVOKED' }), [all[1]])

  const first = expectStatus(await api.get(LINKS, { query: { limit: 3 } }), 200)
  assert.equal(first.hasMore, true)
  assert.equal(first.totalCount, 5)
  const cursor = text(first.nextCursor)
  assert.deepEqual(await ids({ limit: 3, cursor }), all.slice(3))
  expectFields(await api.get(LINKS, { query: { cursor, status: 'ACTIVE' } }), ['cursor'])
  expectFields(await api.get(COINS, { query: { cursor } }), ['cursor'])
  expectFields(await api.get(LINKS, { query: { status: 'GONE', provider: 'ACME' } }), [
    'status',
    'provider',
  ])
})

test('PROV-9 section 3: in production, where there is no provider, the writes are not implemented and leave nothing', async () => {
  const { api, platformId } = await kit.platform({ environment: 'PRODUCTION' })
  const owner = mustParseId('platform', platformId)
  const account = `ExternalAccount:${randomUUID()}`
  const coin = { id: `Stablecoin:${randomUUID()}` }
  for (const [path, body] of [
    [LINKS, linkBody()],
    [COINS, coinBody()],
    [mintsOf(coin), mintBody(account)],
    [burnsOf(coin), burnBody(account)],
  ] as const) {
    expectError(await postKeyed(api, path, body), 501, 'NOT_IMPLEMENTED')
  }
  for (const path of [LINKS, COINS]) {
    assert.deepEqual(expectStatus(await api.get(path), 200)['data'], [])
  }
  const keys = await kit.florin.deps.db.read.many(
    sql`select 1 from idempotency_keys where platform_id = ${owner}`,
  )
  assert.deepEqual(keys, [])
})
