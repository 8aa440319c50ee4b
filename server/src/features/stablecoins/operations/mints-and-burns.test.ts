import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Api,
  type HasId,
} from '../../../../test/kit/api.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import {
  asOperator,
  newAccount,
  newCustomer,
  PLATFORM,
} from '../../../../test/kit/accounts/external-accounts.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import {
  advanceSeconds,
  burnBody,
  burnsOf,
  COINS,
  coinSetup,
  mintBody,
  mintsOf,
  newBankAccount,
  newStablecoin,
  OPERATIONS,
  postKeyed,
} from '../../../../test/kit/stablecoins.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { setAccountStatus } from '../../external-accounts/index.ts'

const kit = await startKit()

const given = () => coinSetup(kit)

const WEEK_MS = 7 * 86_400_000

test('STBL-21 a mint by wire has funding instructions and a deadline', async () => {
  const { api, coin, wallet } = await given()
  const body = mintBody(wallet, { description: ' as given ' })
  const mint = expectStatus(await postKeyed(api, mintsOf(coin), body), 201)
  const { id, createdAt, updatedAt, expiresAt, fundingInstructions, ...rest } = mint
  assert.match(id, /^StablecoinOperation:[0-9a-f-]{36}$/)
  assert.equal(updatedAt, createdAt)
  assert.equal(Date.parse(text(expiresAt)) - Date.parse(createdAt), WEEK_MS)
  const { rail, accountNumber, routingNumber, reference } = fundingInstructions as Record<
    string,
    unknown
  >
  assert.equal(rail, 'WIRE')
  assert.match(text(accountNumber), /^\d{10}$/)
  assert.match(text(routingNumber), /^\d{9}$/)
  assert.match(text(reference), /^MINT-[A-HJ-NP-Z2-9]{8}$/)
  assert.deepEqual(rest, {
    stablecoinId: coin.id,
    operationType: 'MINT',
    status: 'PENDING_FUNDING',
    amount: '1000000',
    provider: 'BRALE',
    providerEnvironment: 'SANDBOX',
    stablecoinProviderAccountId: coin.stablecoinProviderAccountId,
    source: { type: 'WIRE' },
    destination: { accountId: wallet },
    providerStatus: 'pending_funding',
    description: ' as given ',
  })
  assert.deepEqual(expectStatus(await api.get(`${OPERATIONS}/${id}`), 200), mint)
})

for (const type of ['ACH_DEBIT', 'SAME_DAY_ACH_DEBIT']) {
  test(`STBL-21 a mint by ${type} is pulled from its account and has no funding instructions`, async () => {
    const { api, coin, wallet, bank } = await given()
    const fundingSource = { type, externalAccountId: bank }
    const mint = expectStatus(
      await postKeyed(api, mintsOf(coin), mintBody(wallet, { fundingSource })),
      201,
    )
    assert.equal(mint.status, 'PENDING_PROVIDER')
    assert.deepEqual(mint.source, fundingSource)
    assert.deepEqual(mint.destination, { accountId: wallet })
    for (const field of ['fundingInstructions', 'expiresAt', 'estimatedDelivery', 'description']) {
      assert.ok(!(field in mint), field)
    }
  })
}

test('STBL-20 STBL-21 a burn from a wallet shows the deposit address and the estimated payout', async () => {
  const { api, coin, bank } = await given()
  const burn = expectStatus(await postKeyed(api, burnsOf(coin), burnBody(bank)), 201)
  assert.equal(burn.operationType, 'BURN')
  assert.equal(burn.status, 'PENDING_FUNDING')
  assert.deepEqual(burn.source, { type: 'EXTERNAL_ACCOUNT' })
  assert.deepEqual(burn.destination, { accountId: bank, rail: 'ACH_CREDIT' })
  assert.deepEqual(burn.estimatedDelivery, {
    rail: 'ACH_CREDIT',
    currency: 'USD',
    amount: '250',
    timing: '1-3 business days',
  })
  const { address, ...instructions } = burn.fundingInstructions ?? {}
  assert.deepEqual(instructions, { rail: 'SPARK', network: 'SPARK', valueType: coin.symbol })
  assert.match(text(address), /^spark1/)
  const lifeMs = Date.parse(text(burn.expiresAt)) - Date.parse(burn.createdAt)
  assert.equal(lifeMs, WEEK_MS)
})

test('STBL-14 a burn from the balance at the provider has no funding instructions', async () => {
  const { api, coin, bank } = await given()
  const source = { type: 'PROVIDER_INTERNAL_BALANCE' }
  const burn = expectStatus(await postKeyed(api, burnsOf(coin), burnBody(bank, { source })), 201)
  assert.equal(burn.status, 'PENDING_PROVIDER')
  assert.deepEqual(burn.source, source)
  assert.ok(!('fundingInstructions' in burn) && !('expiresAt' in burn))
})

test('STBL-10 an amount is a string of digits, and answered without superfluous zeros', async () => {
  const { api, coin, wallet, bank } = await given()
  const mint = (amount: unknown) => postKeyed(api, mintsOf(coin), mintBody(wallet, { amount }))
  for (const amount of [1_000_000, '', '-10000', '1e6', '10000.0', ' 10000', '１００００', null]) {
    expectFields(await mint(amount), ['amount'])
  }
  for (const amount of ['0', '000', '10001', '1', '9223372036854775808', '9'.repeat(1000)]) {
    expectError(await mint(amount), 400, 'INVALID_AMOUNT')
    const burn = await postKeyed(api, burnsOf(coin), burnBody(bank, { amount }))
    expectError(burn, 400, 'INVALID_AMOUNT')
  }
  assert.equal(expectStatus(await mint('0010000'), 201).amount, '10000')
  const most = '9223372036854770000'
  assert.equal(expectStatus(await mint(most), 201).amount, most)
})

test('STBL-11 STBL-14 reserved and unknown sources are refused, with the list of allowed ones', async () => {
  const { api, coin, wallet, bank } = await given()
  const allowed = ['WIRE', 'ACH_DEBIT', 'SAME_DAY_ACH_DEBIT']
  for (const fundingSource of [
    { type: 'SERVICE_INTERNAL_ACCOUNT' },
    { type: 'SERVICE_INTERNAL_ACCOUNT', accountId: `InternalAccount:${randomUUID()}` },
    { type: 'PROVIDER_INTERNAL_BALANCE', sourceTokenIdentifier: 'x', cryptoNetwork: 'SPARK' },
    { type: 'CASH' },
  ]) {
    const answer = await postKeyed(api, mintsOf(coin), mintBody(wallet, { fundingSource }))
    const [error] = expectFields(answer, ['fundingSource.type'])
    assert.deepEqual(error?.['constraint'], { enum: allowed })
  }
  expectFields(await postKeyed(api, mintsOf(coin), mintBody(wallet, { fundingSource: {} })), [
    'fundingSource.type',
  ])
  for (const type of ['SERVICE_INTERNAL_ACCOUNT', 'CASH']) {
    const answer = await postKeyed(api, burnsOf(coin), burnBody(bank, { source: { type } }))
    const [error] = expectFields(answer, ['source.type'])
    assert.deepEqual(error?.['constraint'], {
      enum: ['EXTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE'],
    })
  }
})

test('STBL-12 a debit names its account', async () => {
  const { api, coin, wallet } = await given()
  for (const type of ['ACH_DEBIT', 'SAME_DAY_ACH_DEBIT']) {
    for (const externalAccountId of [undefined, 'x', `InternalAccount:${randomUUID()}`]) {
      const fundingSource = { type, externalAccountId }
      const answer = await postKeyed(api, mintsOf(coin), mintBody(wallet, { fundingSource }))
      expectFields(answer, ['fundingSource.externalAccountId'])
    }
  }
})

test('STBL-15 a burn names its account and one of the rails', async () => {
  const { api, coin, bank } = await given()
  const burn = (destination: unknown) =>
    postKeyed(api, burnsOf(coin), burnBody(bank, { destination }))
  expectFields(await burn({}), [
    'destination.type',
    'destination.externalAccountId',
    'destination.rail',
  ])
  const wrong = { type: 'WALLET', externalAccountId: 'x', rail: 'ACH_DEBIT' }
  const errors = expectFields(
    await burn(wrong),
    Object.keys(wrong).map((key) => `destination.${key}`),
  )
  const rail = errors.find((error) => text(error['field']) === 'destination.rail')
  const rails = ['WIRE', 'ACH_CREDIT', 'SAME_DAY_ACH_CREDIT', 'RTP_CREDIT']
  assert.deepEqual(rail?.['constraint'], { enum: rails })
  for (const rail of rails) {
    const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank, rail }
    const { estimatedDelivery } = expectStatus(await burn(destination), 201)
    assert.equal(estimatedDelivery?.rail, rail)
  }
})

/** Accounts of the platform that are no bank account in dollars, or not active. */
async function unfitAccounts(platform: Awaited<ReturnType<typeof given>>['platform']) {
  const { api } = platform
  const created = async (type: string, fields = {}) =>
    (await newAccount(api, externalAccountBody(type, fields), PLATFORM)).id
  const mobile = { bankName: undefined, accountNumber: undefined, bankAccountType: undefined }
  const inactive = await newBankAccount(api)
  await asOperator(kit, platform, (work) =>
    setAccountStatus(work, { id: mustParseId('externalAccount', inactive), status: 'INACTIVE' }),
  )
  return [
    ['another currency', await created('EUR_ACCOUNT')],
    ['a wallet', await created('SPARK_WALLET')],
    ['mobile money', await created('SLV_ACCOUNT', { ...mobile, phoneNumber: '+50371234567' })],
    ['not active', inactive],
  ] as const
}

test('STBL-12 STBL-15 only an active bank account in the base currency is debited or paid', async () => {
  const { platform, api, coin, wallet } = await given()
  for (const [why, id] of await unfitAccounts(platform)) {
    const fundingSource = { type: 'ACH_DEBIT', externalAccountId: id }
    const mint = await postKeyed(api, mintsOf(coin), mintBody(wallet, { fundingSource }))
    assert.equal(mint.status, 400, why)
    expectFields(mint, ['fundingSource.externalAccountId'])
    const burn = await postKeyed(api, burnsOf(coin), burnBody(id))
    assert.equal(burn.status, 400, why)
    expectFields(burn, ['destination.externalAccountId'])
  }
  const swift = externalAccountBody('SWIFT_ACCOUNT')
  const abroad = (await newAccount(api, swift, PLATFORM)).id
  expectStatus(await postKeyed(api, burnsOf(coin), burnBody(abroad)), 201)
})

test('STBL-13 a mint goes to an active Spark wallet, and another account is refused together with the other fields', async () => {
  const { platform, api, coin, wallet, bank } = await given()
  const mint = (fields: object) => postKeyed(api, mintsOf(coin), mintBody(wallet, fields))
  for (const accountId of [bank, `InternalAccount:${randomUUID()}`, 'x']) {
    expectFields(await mint({ destination: { accountId } }), ['destination.accountId'])
  }
  const both = {
    fundingSource: { type: 'ACH_DEBIT', externalAccountId: wallet },
    destination: { accountId: bank },
  }
  expectFields(await mint(both), ['fundingSource.externalAccountId', 'destination.accountId'])
  await asOperator(kit, platform, (work) =>
    setAccountStatus(work, { id: mustParseId('externalAccount', wallet), status: 'UNDER_REVIEW' }),
  )
  expectFields(await mint({}), ['destination.accountId'])
})

test('STBL-12 STBL-13 STBL-15 an unknown account answers 404, and accounts of customers are accepted like the platform’s', async () => {
  const { api, coin, wallet, bank } = await given()
  const other = await given()
  const gone = await newBankAccount(api)
  expectStatus(await api.delete(`${PLATFORM}/${gone}`), 204)
  const ach = (externalAccountId: string) => ({ type: 'ACH_DEBIT', externalAccountId })
  for (const id of [`ExternalAccount:${randomUUID()}`, other.bank, other.wallet, gone]) {
    for (const answer of [
      await postKeyed(api, mintsOf(coin), mintBody(wallet, { fundingSource: ach(id) })),
      await postKeyed(api, mintsOf(coin), mintBody(id)),
      await postKeyed(api, burnsOf(coin), burnBody(id)),
    ]) {
      expectError(answer, 404, 'REFERENCE_NOT_FOUND')
    }
  }
  const customerId = await newCustomer(api)
  const owned = async (type: string) =>
    (await newAccount(api, { ...externalAccountBody(type), customerId })).id
  const [usd, spark] = [await owned('USD_ACCOUNT'), await owned('SPARK_WALLET')]
  const body = mintBody(spark, { fundingSource: ach(usd) })
  expectStatus(await postKeyed(api, mintsOf(coin), body), 201)
  expectStatus(await postKeyed(api, burnsOf(coin), burnBody(usd)), 201)
  assert.notEqual(usd, bank)
})

test('STBL-16 a description has at most 1,024 characters and is answered unchanged', async () => {
  const { api, coin, wallet } = await given()
  const mint = (description: unknown) =>
    postKeyed(api, mintsOf(coin), mintBody(wallet, { description }))
  expectFields(await mint('x'.repeat(1025)), ['description'])
  expectFields(await mint(5), ['description'])
  for (const description of ['🪙'.repeat(1024), '', "'; drop table stablecoins; --"]) {
    assert.equal(expectStatus(await mint(description), 201).description, description)
  }
})

for (const [token, issuanceStatus] of [
  ['ACME001', 'PENDING_REVIEW'],
  ['ACME002', 'REJECTED'],
  ['ACME004', 'FAILED'],
  ['ACME005', 'PROVISIONING'],
]) {
  test(`STBL-17 a coin that is ${issuanceStatus} is neither minted nor burnt`, async () => {
    const { api, wallet, bank } = await given()
    const coin = await newStablecoin(api, { providerTokenIdentifier: token })
    for (const answer of [
      await postKeyed(api, mintsOf(coin), mintBody(wallet)),
      await postKeyed(api, burnsOf(coin), burnBody(bank)),
    ]) {
      assert.deepEqual(expectError(answer, 409, 'CONFLICT'), { issuanceStatus })
    }
  })
}

test('STBL-17 a coin is minted once it is PROVISIONED', async () => {
  const { api, wallet } = await given()
  const coin = await newStablecoin(api, { providerTokenIdentifier: 'ACME005' })
  await advanceSeconds(api, 31)
  expectStatus(await postKeyed(api, mintsOf(coin), mintBody(wallet)), 201)
})

for (const [suffix, code] of [
  ['003', 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
  ['004', 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED'],
] as const) {
  test(`STBL-17 a coin whose link no longer works answers ${code}`, async () => {
    const { api, wallet, bank } = await given()
    const coin = await newStablecoin(api, {}, { apiClientId: `acme_${suffix}` })
    expectStatus(await postKeyed(api, mintsOf(coin), mintBody(wallet)), 201)
    await advanceSeconds(api, 31)
    expectError(await postKeyed(api, mintsOf(coin), mintBody(wallet)), 400, code)
    expectError(await postKeyed(api, burnsOf(coin), burnBody(bank)), 400, code)
  })
}

async function operationIds(api: Api, coin: HasId, query: Record<string, string | number> = {}) {
  const answer = await api.get(`${COINS}/${coin.id}/operations`, { query })
  return expectStatus(answer, 200).data.map(({ id }) => id)
}

test('STBL-22 operations of a coin are listed newest first, filtered and paged', async () => {
  const { api, coin, wallet, bank } = await given()
  const elsewhere = await newStablecoin(api)
  expectStatus(await postKeyed(api, mintsOf(elsewhere), mintBody(wallet)), 201)
  const ids: string[] = []
  for (const isMint of [true, false, true, false, true]) {
    const answer = isMint
      ? await postKeyed(api, mintsOf(coin), mintBody(wallet))
      : await postKeyed(api, burnsOf(coin), burnBody(bank))
    ids.unshift(expectStatus(answer, 201).id)
  }
  assert.deepEqual(await operationIds(api, coin), ids)
  assert.deepEqual(await operationIds(api, coin, { operationType: 'BURN' }), [ids[1], ids[3]])
  assert.equal((await operationIds(api, coin, { operationType: 'MINT' })).length, 3)
  const path = `${COINS}/${coin.id}/operations` as const
  const first = expectStatus(await api.get(path, { query: { limit: 2 } }), 200)
  assert.deepEqual([first.hasMore, first.totalCount], [true, 5])
  const cursor = text(first.nextCursor)
  assert.deepEqual(await operationIds(api, coin, { limit: 5, cursor }), ids.slice(2))
  const otherList = `${COINS}/${elsewhere.id}/operations`
  expectFields(await api.get(otherList, { query: { cursor } }), ['cursor'])
  expectFields(await api.get(path, { query: { operationType: 'SWAP' } }), ['operationType'])
})
