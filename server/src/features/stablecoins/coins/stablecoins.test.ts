import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type HasId,
} from '../../../../test/kit/api.ts'
import { asOperator } from '../../../../test/kit/accounts/external-accounts.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import {
  advanceSeconds,
  COINS,
  coinBody,
  newLink,
  newNetworkToken,
  newStablecoin,
  postKeyed,
} from '../../../../test/kit/stablecoins.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { describeToken } from './describe-token.ts'
import { findPlatformOfStablecoin, revokeLink, setServiceOperationsStatus } from '../index.ts'
import { registerStablecoin } from './register-stablecoin.ts'
import type { RegisterRequest } from '../schema.ts'

const kit = await startKit()

test('section 1: a coin shows the provider’s description of it', async () => {
  const { api } = await kit.platform()
  const link = await newLink(api)
  const body = coinBody({ providerTokenIdentifier: 'ACME' })
  const coin = expectStatus(await postKeyed(api, COINS, body), 201)
  const { id, createdAt, updatedAt, ...rest } = coin
  assert.match(id, /^Stablecoin:[0-9a-f-]{36}$/)
  assert.equal(createdAt, updatedAt)
  assert.deepEqual(rest, {
    name: 'ACME (sandbox)',
    symbol: 'ACME',
    baseCurrency: 'USD',
    network: 'SPARK',
    decimals: 6,
    issuanceStatus: 'PROVISIONED',
    serviceOperationsStatus: 'NOT_ENABLED',
    networkTokenIdentifier: body.networkTokenIdentifier,
    provider: 'BRALE',
    stablecoinProviderAccountId: link.id,
    providerEnvironment: 'SANDBOX',
    providerTokenIdentifier: 'ACME',
  })
  assert.deepEqual(expectStatus(await api.get(`${COINS}/${id}`), 200), coin)
})

const WRONG: readonly [string, unknown, string][] = [
  ['providerTokenIdentifier', '', 'empty'],
  ['providerTokenIdentifier', 'x'.repeat(65), 'too long'],
  ['providerTokenIdentifier', 'A B', 'a blank'],
  ['providerTokenIdentifier', 'ACME\n', 'a line end'],
  ['networkTokenIdentifier', `btkn1${'q'.repeat(19)}`, 'too short'],
  ['networkTokenIdentifier', `btkn1${'q'.repeat(101)}`, 'too long'],
  ['networkTokenIdentifier', `btkn1${'q'.repeat(19)}b`, 'b is not of the alphabet'],
  ['networkTokenIdentifier', `btkn1${'Q'.repeat(20)}`, 'capitals'],
  ['networkTokenIdentifier', `btknabcd1${'q'.repeat(20)}`, 'a prefix that is too long'],
  ['networkTokenIdentifier', `spark1${'q'.repeat(20)}`, 'another prefix'],
  ['network', 'SOLANA', 'another network'],
  ['stablecoinProviderAccountId', 'x', 'no id'],
  ['stablecoinProviderAccountId', `Stablecoin:${randomUUID()}`, 'an id of another type'],
]

for (const [field, value, why] of WRONG) {
  test(`STBL-7 ${field} ${JSON.stringify(value).slice(0, 40)} is refused: ${why}`, async () => {
    const { api } = await kit.platform()
    await newLink(api)
    expectFields(await postKeyed(api, COINS, coinBody({ [field]: value })), [field])
  })
}

test('STBL-7 values at their limits are accepted', async () => {
  const { api } = await kit.platform()
  await newLink(api)
  for (const fields of [
    { providerTokenIdentifier: 'a' },
    { providerTokenIdentifier: '_.-'.padEnd(64, 'Z') },
    { networkTokenIdentifier: `btkn1${'0'.repeat(20)}` },
    { networkTokenIdentifier: `btknabc1${'l'.repeat(100)}` },
  ]) {
    expectStatus(await postKeyed(api, COINS, coinBody(fields)), 201)
  }
})

test('STBL-8 a named link must exist and be active', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const register = (id: unknown) =>
    postKeyed(api, COINS, coinBody({ stablecoinProviderAccountId: id }))
  const invalid = await newLink(api, { apiClientId: 'acme_003' })
  const revoked = await newLink(api, { apiClientId: 'acme_004' })
  await advanceSeconds(api, 31)
  const [active, other] = [await newLink(api), await newLink(api)]
  for (const link of [active, other]) {
    const coin = expectStatus(await register(link.id), 201)
    assert.equal(coin.stablecoinProviderAccountId, link.id)
  }
  expectError(await register(invalid.id), 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID')
  expectError(await register(revoked.id), 400, 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED')
  const foreign = await newLink((await kit.platform()).api)
  const unknown = `StablecoinProviderAccount:${randomUUID()}`
  for (const id of [foreign.id, unknown]) {
    expectError(await register(id), 404, 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND')
  }
})

const UNNAMED: readonly [readonly string[], number, string, string][] = [
  [[], 404, 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND', 'no link at all'],
  [['a'], 201, '', 'the only one'],
  [['a', 'b_003', 'c_004'], 201, '', 'the only one that works'],
  [['a', 'b'], 400, 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED', 'two that work'],
  [['a_003', 'b_004'], 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID', 'none works, one is invalid'],
  [['a_004', 'b_004'], 400, 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED', 'only revoked ones'],
]

for (const [links, status, code, why] of UNNAMED) {
  test(`STBL-8 without a name, links ${links.join()} give ${code || status}: ${why}`, async () => {
    const { api } = await kit.platform()
    await newLink((await kit.platform()).api)
    for (const apiClientId of links) await newLink(api, { apiClientId })
    await advanceSeconds(api, 31)
    const answer = await postKeyed(api, COINS, coinBody())
    if (status === 201) expectStatus(answer, 201)
    else expectError(answer, status, code)
  })
}

test('STBL-9 a token is registered once per platform', async () => {
  const [own, other] = [await kit.platform(), await kit.platform()]
  const { api } = own
  const [first, second] = [await newLink(api), await newLink(api)]
  const body = coinBody({ stablecoinProviderAccountId: first.id })
  const { id: stablecoinId } = expectStatus(await postKeyed(api, COINS, body), 201)
  const cases: readonly [object, number][] = [
    [{}, 409],
    [{ networkTokenIdentifier: newNetworkToken() }, 409],
    [{ providerTokenIdentifier: 'OTHER' }, 409],
    [{ providerTokenIdentifier: 'OTHER', stablecoinProviderAccountId: second.id }, 409],
    [{ networkTokenIdentifier: newNetworkToken(), stablecoinProviderAccountId: second.id }, 201],
  ]
  for (const [fields, status] of cases) {
    const answer = await postKeyed(api, COINS, { ...body, ...fields })
    if (status === 409) assert.deepEqual(expectError(answer, 409, 'CONFLICT'), { stablecoinId })
    else expectStatus(answer, status)
  }
  const theirs = await newLink(other.api)
  const copy = { ...body, stablecoinProviderAccountId: theirs.id }
  expectStatus(await postKeyed(other.api, COINS, copy), 201)
})

test('STBL-9 of twenty registrations of one token at once one wins', async () => {
  const { api } = await kit.platform()
  await newLink(api)
  const body = coinBody()
  const answers = await Promise.all(Array.from({ length: 20 }, () => postKeyed(api, COINS, body)))
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 1)
  for (const answer of answers.filter((one) => one !== made[0])) {
    assert.equal(expectError(answer, 409, 'CONFLICT')['stablecoinId'], made[0]?.body.id)
  }
  assert.equal(expectStatus(await api.get(COINS), 200).totalCount, 1)
})

test('STBL-8 a link that is revoked while the provider describes the token takes no coin', async () => {
  const owner = await kit.platform()
  const link = await newLink(owner.api)
  const request = coinBody() as RegisterRequest
  const { deps } = kit.florin
  const platform = await asOperator(kit, owner, async (work) => work.platform)
  const token = await describeToken({ deps, platform, requestKey: 'one' }, request)
  const id = mustParseId('stablecoinProviderAccount', link.id)
  await asOperator(kit, owner, (work) => revokeLink(work, id))
  await assert.rejects(
    asOperator(kit, owner, (work) => registerStablecoin(work, { request, token })),
    { code: 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED' },
  )
  assert.deepEqual(expectStatus(await owner.api.get(COINS), 200).data, [])
})

const ISSUED: readonly [string, string][] = [
  ['ACME001', 'PENDING_REVIEW'],
  ['ACME002', 'REJECTED'],
  ['ACME004', 'FAILED'],
  ['ACME006', 'PROVISIONED'],
]

for (const [providerTokenIdentifier, status] of ISSUED) {
  test(`section 6: a coin of ${providerTokenIdentifier} is ${status} and stays so`, async () => {
    const { api } = await kit.platform()
    const coin = await newStablecoin(api, { providerTokenIdentifier })
    assert.equal(coin.issuanceStatus, status)
    await advanceSeconds(api, 86_400)
    assert.deepEqual(expectStatus(await api.get(`${COINS}/${coin.id}`), 200), coin)
  })
}

test('section 6: a token of …003 is unknown at the provider, and nothing is stored', async () => {
  const { api } = await kit.platform()
  await newLink(api)
  const body = coinBody({ providerTokenIdentifier: 'ACME003' })
  expectFields(await postKeyed(api, COINS, body), ['providerTokenIdentifier'])
  assert.deepEqual(expectStatus(await api.get(COINS), 200).data, [])
})

test('section 6: a coin of …005 is PROVISIONED after 30 s', async () => {
  const { api } = await kit.platform()
  const coin = await newStablecoin(api, { providerTokenIdentifier: 'ACME005' })
  const read = async () => expectStatus(await api.get(`${COINS}/${coin.id}`), 200)
  assert.equal(coin.issuanceStatus, 'PROVISIONING')
  await advanceSeconds(api, 28)
  assert.equal((await read()).issuanceStatus, 'PROVISIONING')
  await advanceSeconds(api, 3)
  const provisioned = await read()
  assert.equal(provisioned.issuanceStatus, 'PROVISIONED')
  const ageMs = Date.parse(provisioned.updatedAt) - Date.parse(coin.createdAt)
  assert.equal(ageMs, 30_000)
})

test('section 6: a coin whose link has failed is not followed any more', async () => {
  const { api } = await kit.platform()
  const coin = await newStablecoin(
    api,
    { providerTokenIdentifier: 'ACME005' },
    { apiClientId: 'a_003' },
  )
  await advanceSeconds(api, 120)
  const { issuanceStatus } = expectStatus(await api.get(`${COINS}/${coin.id}`), 200)
  assert.equal(issuanceStatus, 'PROVISIONING')
})

test('section 3: only the operator enables a coin, and then it has a currency', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const coin = await newStablecoin(api, { providerTokenIdentifier: 'ACME' })
  const id = mustParseId('stablecoin', coin.id)
  assert.equal('currency' in coin, false)
  for (const status of ['PENDING_APPROVAL', 'ENABLING', 'ENABLED', 'DISABLED'] as const) {
    const set = await asOperator(kit, platform, (work) =>
      setServiceOperationsStatus(work, { id, status }),
    )
    assert.equal(set.serviceOperationsStatus, status)
    const read = expectStatus(await api.get(`${COINS}/${coin.id}`), 200)
    assert.equal(read.serviceOperationsStatus, status)
    assert.equal('currency' in read, status === 'ENABLED')
    if (status === 'ENABLED') assert.equal(read.currency, 'ACME')
  }
  const { read } = kit.florin.deps.db
  const owner = mustParseId('platform', platform.platformId)
  assert.equal(await findPlatformOfStablecoin(read, id), owner)
  const other = await kit.platform()
  await assert.rejects(
    asOperator(kit, other, (work) => setServiceOperationsStatus(work, { id, status: 'ENABLED' })),
    { code: 'REFERENCE_NOT_FOUND' },
  )
})

test('STBL-22 coins are listed newest first, filtered and paged', async () => {
  const platform = await kit.platform()
  const { api } = platform
  await newStablecoin((await kit.platform()).api)
  const coins: HasId[] = []
  for (const token of ['A', 'B001', 'C', 'D002', 'E']) {
    coins.unshift(await newStablecoin(api, { providerTokenIdentifier: token }))
  }
  const id = mustParseId('stablecoin', text(coins[0]?.id))
  await asOperator(kit, platform, (work) =>
    setServiceOperationsStatus(work, { id, status: 'ENABLED' }),
  )
  const symbols = async (query: Record<string, string | number>): Promise<string[]> => {
    const { data } = expectStatus(await api.get(COINS, { query }), 200)
    return data.map(({ symbol }) => symbol)
  }
  assert.deepEqual(await symbols({}), ['E', 'D002', 'C', 'B001', 'A'])
  assert.deepEqual(await symbols({ issuanceStatus: 'PROVISIONED' }), ['E', 'C', 'A'])
  assert.deepEqual(await symbols({ issuanceStatus: 'REJECTED' }), ['D002'])
  assert.deepEqual(await symbols({ serviceOperationsStatus: 'ENABLED' }), ['E'])
  const both = { issuanceStatus: 'PROVISIONED', serviceOperationsStatus: 'NOT_ENABLED' }
  assert.deepEqual(await symbols({ ...both, provider: 'BRALE' }), ['C', 'A'])
  const first = expectStatus(await api.get(COINS, { query: { limit: 2 } }), 200)
  assert.deepEqual([first.hasMore, first.totalCount], [true, 5])
  const cursor = text(first.nextCursor)
  assert.deepEqual(await symbols({ limit: 2, cursor }), ['C', 'B001'])
  const wrong = { issuanceStatus: 'GONE', serviceOperationsStatus: 'ON', provider: 'ACME' }
  expectFields(await api.get(COINS, { query: wrong }), Object.keys(wrong))
})
