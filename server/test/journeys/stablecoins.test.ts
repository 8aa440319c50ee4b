import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus, text, type HasId } from '../kit/api.ts'
import { startKit } from '../kit/florin.ts'
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
  newBankAccount,
  newLink,
  newSparkWallet,
  newStablecoin,
  newWireMint,
  OPERATIONS,
  postKeyed,
  readOperation,
} from '../kit/stablecoins.ts'

// The acceptance scenarios of chapter 42, by number.

const kit = await startKit()

const ACME = { provider: 'BRALE', apiClientId: 'acme_client', apiClientSecret: 's3cr3t' }
const WEEK_MS = 7 * 86_400_000

test('scenario 1: a link is made once, replayed under its key, and shows no secret', async () => {
  const { api } = await kit.platform()
  const first = await postKeyed(api, LINKS, ACME, 'key-1')
  const link = expectStatus(first, 201)
  assert.equal(link.status, 'ACTIVE')
  assert.equal(link.providerEnvironment, 'SANDBOX')
  const replay = await postKeyed(api, LINKS, ACME, 'key-1')
  assert.equal(expectStatus(replay, 201).id, link.id)
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  const other = await postKeyed(api, LINKS, ACME, 'key-2')
  expectError(other, 409, 'CONFLICT')
  const reads = [await api.get(LINKS), await api.get(`${LINKS}/${link.id}`)]
  for (const answer of [first, replay, other, ...reads]) {
    assert.ok(!answer.text.includes('s3cr3t'))
  }
})

test('scenario 2: without Idempotency-Key a link is refused, and the answer names it', async () => {
  const { api } = await kit.platform()
  expectFields(await api.post(LINKS, ACME), ['Idempotency-Key'])
})

test('scenario 3: refused credentials leave the list empty', async () => {
  const { api } = await kit.platform()
  const answer = await postKeyed(api, LINKS, { ...ACME, apiClientId: 'bad_002' })
  expectError(answer, 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID')
  assert.deepEqual(expectStatus(await api.get(LINKS), 200).data, [])
})

test('scenario 4: a coin is registered once, through the only link', async () => {
  const { api } = await kit.platform()
  await newLink(api)
  const body = coinBody()
  const coin = expectStatus(await postKeyed(api, COINS, body), 201)
  assert.equal(coin.issuanceStatus, 'PROVISIONED')
  assert.equal(coin.decimals, 6)
  assert.ok(!('currency' in coin))
  expectError(await postKeyed(api, COINS, body), 409, 'CONFLICT')
})

test('scenario 5: of two links one has to be named', async () => {
  const { api } = await kit.platform()
  const [, second] = [await newLink(api), await newLink(api)]
  const code = 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED'
  expectError(await postKeyed(api, COINS, coinBody()), 400, code)
  const named = coinBody({ stablecoinProviderAccountId: second.id })
  const coin = expectStatus(await postKeyed(api, COINS, named), 201)
  assert.equal(coin.stablecoinProviderAccountId, second.id)
})

test('scenario 6: without a link no coin is registered', async () => {
  const { api } = await kit.platform()
  const answer = await postKeyed(api, COINS, coinBody())
  expectError(answer, 404, 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND')
})

test('scenario 7: a mint by wire is funded, processed and completed', async () => {
  const { api } = await kit.platform()
  const mint = await newWireMint(api, { amount: '1000000' })
  assert.equal(mint.status, 'PENDING_FUNDING')
  assert.equal(mint.fundingInstructions?.rail, 'WIRE')
  const lifeMs = Date.parse(text(mint.expiresAt)) - Date.parse(mint.createdAt)
  assert.equal(lifeMs, WEEK_MS)
  await advanceSeconds(api, 31)
  assert.equal((await readOperation(api, mint.id)).status, 'PROCESSING')
  await advanceSeconds(api, 30)
  assert.equal((await readOperation(api, mint.id)).status, 'COMPLETED')
})

test('scenario 8: a mint that nobody funds expires after seven days', async () => {
  const { api } = await kit.platform()
  const mint = await newWireMint(api, { description: 'never 001' })
  await advanceSeconds(api, WEEK_MS / 1000 + 1)
  assert.equal((await readOperation(api, mint.id)).status, 'EXPIRED')
})

test('scenario 9: an amount is a string of whole cents', async () => {
  const { api } = await kit.platform()
  const coin = await newStablecoin(api)
  const wallet = await newSparkWallet(api)
  const mint = (amount: unknown) => postKeyed(api, mintsOf(coin), mintBody(wallet, { amount }))
  expectError(await mint('1000001'), 400, 'INVALID_AMOUNT')
  expectError(await mint('0'), 400, 'INVALID_AMOUNT')
  expectFields(await mint(1_000_000), ['amount'])
})

test('scenario 10: a reserved funding source is refused', async () => {
  const { api } = await kit.platform()
  const coin = await newStablecoin(api)
  const fundingSource = { type: 'SERVICE_INTERNAL_ACCOUNT' }
  const body = mintBody(await newSparkWallet(api), { fundingSource })
  expectFields(await postKeyed(api, mintsOf(coin), body), ['fundingSource.type'])
})

test('scenario 11: a burn from a wallet to a bank account completes', async () => {
  const { api } = await kit.platform()
  const coin = await newStablecoin(api)
  const body = burnBody(await newBankAccount(api), { amount: '2500000' })
  const burn = expectStatus(await postKeyed(api, burnsOf(coin), body), 201)
  assert.equal(burn.status, 'PENDING_FUNDING')
  assert.match(text(burn.fundingInstructions?.address), /^spark1/)
  assert.equal(burn.estimatedDelivery?.amount, '250')
  await advanceSeconds(api, 61)
  assert.equal((await readOperation(api, burn.id)).status, 'COMPLETED')
})

test('scenario 12: a burn to an account ending in 004 is rejected by the bank', async () => {
  const { api } = await kit.platform()
  const coin = await newStablecoin(api)
  const body = burnBody(await newBankAccount(api, '004'))
  const burn = expectStatus(await postKeyed(api, burnsOf(coin), body), 201)
  await advanceSeconds(api, 61)
  const { status, failureReason } = await readOperation(api, burn.id)
  assert.deepEqual([status, failureReason], ['FAILED', 'PAYOUT_REJECTED'])
})

test('scenario 13: a link that turned invalid mints nothing', async () => {
  const { api } = await kit.platform()
  const coin = await newStablecoin(api, {}, { apiClientId: 'acme_003' })
  await advanceSeconds(api, 31)
  const answer = await postKeyed(api, mintsOf(coin), mintBody(await newSparkWallet(api)))
  expectError(answer, 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID')
})

test('scenario 14: a coin under review mints nothing', async () => {
  const { api } = await kit.platform()
  const coin = await newStablecoin(api, { providerTokenIdentifier: 'ACME001' })
  assert.equal(coin.issuanceStatus, 'PENDING_REVIEW')
  const answer = await postKeyed(api, mintsOf(coin), mintBody(await newSparkWallet(api)))
  expectError(answer, 409, 'CONFLICT')
})

test('scenario 15: another platform finds none of it', async () => {
  const [own, other] = [await kit.platform(), await kit.platform()]
  const mint = await newWireMint(own.api)
  const [coin] = expectStatus(await own.api.get(COINS), 200).data
  const paths: readonly [string, string][] = [
    [`${LINKS}/${coin?.stablecoinProviderAccountId}`, 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND'],
    [`${COINS}/${coin?.id}`, 'REFERENCE_NOT_FOUND'],
    [`${COINS}/${coin?.id}/operations`, 'REFERENCE_NOT_FOUND'],
    [`${OPERATIONS}/${mint.id}`, 'REFERENCE_NOT_FOUND'],
  ]
  for (const [path, code] of paths) {
    expectStatus(await own.api.get(path), 200)
    expectError(await other.api.get(path), 404, code)
  }
  for (const path of [LINKS, COINS]) {
    assert.deepEqual(expectStatus(await other.api.get(path), 200)['data'], [])
  }
  expectStatus(await postKeyed(other.api, LINKS, linkBody()), 201)
})

test('scenario 16: a coin whose link turned invalid mints again under a new one', async () => {
  const { api } = await kit.platform()
  const providerAccountId = 'acct_main'
  const old = await newLink(api, { apiClientId: 'old_003', providerAccountId })
  const body = coinBody()
  const coin = expectStatus(
    await postKeyed(api, COINS, { ...body, stablecoinProviderAccountId: old.id }),
    201,
  )
  const mint = mintBody(await newSparkWallet(api))
  await advanceSeconds(api, 31)
  const refused = await postKeyed(api, mintsOf(coin), mint)
  expectError(refused, 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID')
  const other = await newLink(api, { apiClientId: 'other', providerAccountId: 'acct_other' })
  const bind = (link: HasId) =>
    postKeyed(api, COINS, { ...body, stablecoinProviderAccountId: link.id })
  expectError(await bind(other), 409, 'CONFLICT')
  const link = await newLink(api, { apiClientId: 'new_client', providerAccountId })
  assert.equal(expectStatus(await bind(link), 201).id, coin.id)
  expectStatus(await postKeyed(api, mintsOf(coin), mint), 201)
})
