import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stablecoin } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectStatus,
  items,
  type Api,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  advanceSeconds,
  COINS,
  coinBody,
  mintBody,
  mintsOf,
  newLink,
  newSparkWallet,
  postKeyed,
  readOperation,
} from '../../../../test/kit/stablecoins.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startKit()
const providerAccountId = 'acct_main'

type Tokens = Pick<Shown<Stablecoin>, 'providerTokenIdentifier' | 'networkTokenIdentifier'>

const bodyOf = (coin: Tokens, link: HasId, fields: object = {}) => ({
  providerTokenIdentifier: coin.providerTokenIdentifier,
  networkTokenIdentifier: coin.networkTokenIdentifier,
  network: 'SPARK',
  stablecoinProviderAccountId: link.id,
  ...fields,
})

const register = (api: Api, coin: Tokens, link: HasId, fields: object = {}) =>
  postKeyed(api, COINS, bodyOf(coin, link, fields))

/** A coin whose link the operator has revoked. */
async function start(fields: object = {}) {
  const { api } = await kit.platform()
  const old = await newLink(api, { providerAccountId })
  const coin = expectStatus(
    await postKeyed(api, COINS, coinBody({ stablecoinProviderAccountId: old.id, ...fields })),
    201,
  )
  const revoke = () => operate(kit, `stablecoins revoke-link ${old.id}`)
  return { api, old, coin, revoke }
}

test('STBL-24 a coin whose link was revoked is bound to a new link of the same account', async () => {
  const { api, old, coin, revoke } = await start()
  const wallet = await newSparkWallet(api)
  const running = expectStatus(await postKeyed(api, mintsOf(coin), mintBody(wallet)), 201)
  await operate(kit, `stablecoins set-status ${coin.id} ENABLED`)
  const enabled = expectStatus(await api.get(`${COINS}/${coin.id}`), 200)
  await revoke()
  const link = await newLink(api, { providerAccountId })
  await advanceSeconds(api, 5)
  const bound = expectStatus(await register(api, coin, link), 201)
  assert.ok(bound.updatedAt > enabled.updatedAt)
  assert.deepEqual(bound, {
    ...enabled,
    stablecoinProviderAccountId: link.id,
    updatedAt: bound.updatedAt,
  })
  assert.deepEqual(expectStatus(await api.get(`${COINS}/${coin.id}`), 200), bound)
  const minted = expectStatus(await postKeyed(api, mintsOf(coin), mintBody(wallet)), 201)
  await advanceSeconds(api, 61)
  const ended = await readOperation(api, running.id)
  assert.deepEqual([ended.status, ended.failureReason], ['FAILED', 'PROVIDER_ACCOUNT_UNUSABLE'])
  assert.equal((await readOperation(api, minted.id)).status, 'COMPLETED')
  const entries = items(await operate(kit, 'audit list', '--resource', coin.id))
  const entry = entries.find(({ action }) => action === ('stablecoin.bound' as unknown))
  assert.equal(entry?.['note'], `from ${old.id} to ${link.id}`)
  const { data } = expectStatus(await api.get(COINS), 200)
  assert.equal(data.length, 1)
})

test('STBL-24 STBL-9 another token, another account and a coin with an active link are refused', async () => {
  const { api, coin, revoke } = await start()
  const stablecoinId = coin.id
  const refused = async (link: HasId, fields: object = {}) =>
    assert.equal(
      expectError(await register(api, coin, link, fields), 409, 'CONFLICT')['stablecoinId'],
      stablecoinId,
    )
  const other = await newLink(api, { providerAccountId: 'acct_other' })
  await refused(other)
  await revoke()
  await refused(other)
  const link = await newLink(api, { providerAccountId })
  await refused(link, { providerTokenIdentifier: 'ANOTHER' })
  const taken = expectStatus(
    await postKeyed(
      api,
      COINS,
      bodyOf(coin, link, { networkTokenIdentifier: coinBody().networkTokenIdentifier }),
    ),
    201,
  )
  const meets = expectError(await register(api, coin, link), 409, 'CONFLICT')
  assert.equal(meets['stablecoinId'], taken.id, 'the account’s token is another coin’s by now')
  const read = expectStatus(await api.get(`${COINS}/${stablecoinId}`), 200)
  assert.deepEqual(read, coin, 'nothing was changed')
})

test('STBL-24 of twenty requests that bind one coin at once one succeeds', async () => {
  const { api, coin, revoke } = await start()
  await revoke()
  const link = await newLink(api, { providerAccountId })
  const answers = await Promise.all(Array.from({ length: 20 }, () => register(api, coin, link)))
  const bound = answers.filter(({ status }) => status === 201)
  assert.equal(bound.length, 1)
  assert.equal(bound[0]?.body.id, coin.id)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectError(answer, 409, 'CONFLICT')
  }
})

test('STBL-24 section 6: a coin that was being issued when its link failed is followed under the new link', async () => {
  const { api, coin, revoke } = await start({ providerTokenIdentifier: 'ACME005' })
  assert.equal(coin.issuanceStatus, 'PROVISIONING')
  await advanceSeconds(api, 10)
  await revoke()
  const link = await newLink(api, { providerAccountId })
  const bound = expectStatus(await register(api, coin, link), 201)
  assert.equal(bound.issuanceStatus, 'PROVISIONING')
  await advanceSeconds(api, 21)
  const later = expectStatus(await api.get(`${COINS}/${coin.id}`), 200)
  assert.equal(later.issuanceStatus, 'PROVISIONED', '30 s after it was registered')
  await operate(kit, `stablecoins revoke-link ${link.id}`)
  const third = await newLink(api, { providerAccountId })
  const again = expectStatus(await register(api, coin, third), 201)
  assert.equal(again.issuanceStatus, 'PROVISIONED', 'it is not new to the provider')
})

test('STBL-24 STBL-18 a mint that the provider never answered goes on under the new link', async () => {
  const { api, coin, revoke } = await start()
  const body = mintBody(await newSparkWallet(api), { description: 'try again 003' })
  const refused = await postKeyed(api, mintsOf(coin), body, 'resumed')
  expectError(refused, 503, 'SERVICE_UNAVAILABLE')
  await revoke()
  expectStatus(await register(api, coin, await newLink(api, { providerAccountId })), 201)
  const { rows } = await unstarted(coin)
  assert.equal(rows, 1)
})

/** Operations of a coin that wait for their first answer, under the coin's link. */
const unstarted = ({ id }: HasId): Promise<{ rows: number }> =>
  kit.florin.deps.db.read.one(
    sql`select count(*)::integer as rows from stablecoin_operations o
        join stablecoins s on s.id = o.stablecoin_id and s.link_id = o.link_id
        where o.status = 'CREATED' and s.id = ${id.split(':')[1]}`,
  )
