/** Stablecoins of a provider that is reached over the provider protocol (PROV-130). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Api,
  type Body,
  type HasId,
} from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  scriptedProvider,
  type Received,
  type Reply,
  type ScriptedProvider,
} from '../../../../test/kit/outside/scripted-provider.ts'
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
  newSparkWallet,
  postKeyed,
  readOperation,
} from '../../../../test/kit/stablecoins.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { mustParseId } from '../../../kernel/ids.ts'

const kit = await startOwnKit()

const SECRET = `s3cr3t-${randomUUID()}`
const WIRE = { rail: 'WIRE', accountNumber: '123456789', reference: 'ACME-1' }
const TOKEN = {
  name: 'Acme Dollar',
  symbol: 'ACMD',
  baseCurrency: 'USD',
  decimals: 6,
  issuanceStatus: 'PROVISIONED',
}

const decided = (members: object): Reply => ({ json: { state: 'DECIDED', ...members } })
const ANSWERS: Readonly<Record<string, Reply>> = {
  COIN_LINK: decided({ verdict: 'ACCEPTED', accountIds: ['acct_1'] }),
  COIN_TOKEN: decided({ token: TOKEN }),
  COIN_MINT: {
    json: {
      state: 'ACCEPTED',
      reference: 'M1',
      providerStatus: 'awaiting_wire',
      fundingInstructions: WIRE,
    },
  },
  COIN_BURN: { json: { state: 'ACCEPTED', reference: 'B1', providerStatus: 'queued' } },
}

type Setup = Readonly<{ platform: TestPlatform; api: Api; provider: ScriptedProvider }>

/** Answers by the type of the order; what is given here comes first. */
function answerWith(
  { provider }: Pick<Setup, 'provider'>,
  own: Readonly<Record<string, Reply>>,
): void {
  provider.answer(({ method, path, body }: Received) => {
    if (method === 'GET') {
      return { status: 404, json: { state: 'NOT_FOUND', id: path.split('/')[2] } }
    }
    return own[text(body['type'])] ?? ANSWERS[text(body['type'])] ?? 'reset'
  })
}

async function setup(options = ''): Promise<Setup> {
  const platform = await kit.platform()
  const line = `--environment SANDBOX --platform ${platform.platformId} --ports stablecoins ${options}`
  const provider = await scriptedProvider(kit, line.trim())
  answerWith({ provider }, {})
  return { platform, api: platform.api, provider }
}

const link = (api: Api, fields: object = {}, key?: string) =>
  postKeyed(api, LINKS, linkBody({ apiClientId: 'acme', apiClientSecret: SECRET, ...fields }), key)

/** A coin of the provider. */
async function newCoin({ api }: Setup) {
  expectStatus(await link(api), 201)
  return expectStatus(await postKeyed(api, COINS, coinBody()), 201)
}

const sent = ({ provider }: Setup, type: string): readonly Received[] =>
  provider.received.filter(({ method, body }) => method === 'POST' && text(body['type']) === type)

const lastOrder = (on: Setup, type: string): Body => {
  const order = sent(on, type).at(-1)?.body
  assert.ok(order, `an order of type ${type} was sent`)
  return order
}

const statusOf = async ({ api }: Setup, operation: HasId): Promise<unknown[]> => {
  const { status, failureReason, providerStatus } = await readOperation(api, operation.id)
  return [status, providerStatus, ...(failureReason === undefined ? [] : [failureReason])]
}

test('PROV-130 STBL-3 a link is verified by the provider, which gets the credentials', async () => {
  const on = await setup()
  const made = expectStatus(await link(on.api), 201)
  assert.deepEqual([made.status, made.providerAccountId], ['ACTIVE', 'acct_1'])
  const order = lastOrder(on, 'COIN_LINK')
  assert.deepEqual(order['credentials'], { apiClientId: 'acme', apiClientSecret: SECRET })
  assert.equal(text(order['platform']?.['id']), on.platform.platformId)
  answerWith(on, { COIN_LINK: decided({ verdict: 'REFUSED' }) })
  expectError(await link(on.api), 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID')
  answerWith(on, { COIN_LINK: { json: { state: 'REFUSED', reason: 'UNSUPPORTED' } } })
  expectError(await link(on.api), 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID')
  answerWith(on, { COIN_LINK: decided({ verdict: 'ACCEPTED', accountIds: ['a', 'b'] }) })
  const [error] = expectFields(await link(on.api), ['providerAccountId'])
  assert.deepEqual(error?.['constraint'], { enum: ['a', 'b'] })
})

const NO_ANSWERS: readonly Reply[] = [
  'reset',
  { status: 500, json: {} },
  { html: '<p>gone</p>' },
  { json: { state: 'ACCEPTED', reference: 'later' } },
  decided({ verdict: 'PERHAPS' }),
]

test('PROV-130 STBL-18 a question without an answer is 503, and the retry has the same order id and bytes', async () => {
  const on = await setup()
  for (const [index, reply] of NO_ANSWERS.entries()) {
    answerWith(on, { COIN_LINK: reply })
    const refused = await link(on.api, {}, 'the key')
    expectError(refused, 503, 'SERVICE_UNAVAILABLE')
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(sent(on, 'COIN_LINK').length, index + 1, 'sent once for each request')
  }
  answerWith(on, {})
  expectStatus(await link(on.api, {}, 'the key'), 201)
  const calls = sent(on, 'COIN_LINK')
  assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(calls.map(({ bytes }) => bytes)).size, 1)
})

test('PROV-130 a coin is what the provider says of it, and one that it does not know is refused', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  const { name, symbol, decimals, issuanceStatus } = coin
  const { baseCurrency: _, ...described } = TOKEN
  assert.deepEqual({ name, symbol, decimals, issuanceStatus }, described)
  assert.equal(text(lastOrder(on, 'COIN_TOKEN')['accountId']), 'acct_1')
  answerWith(on, { COIN_TOKEN: decided({ known: false }) })
  expectFields(await postKeyed(on.api, COINS, coinBody()), ['providerTokenIdentifier'])
  answerWith(on, { COIN_TOKEN: decided({ token: { ...TOKEN, issuanceStatus: 'PROVISIONING' } }) })
  const waiting = expectStatus(await postKeyed(on.api, COINS, coinBody()), 201)
  answerWith(on, {})
  await advanceSeconds(on.api, 301)
  const now = expectStatus(await on.api.get(`${COINS}/${waiting.id}`), 200)
  assert.equal(now.issuanceStatus, 'PROVISIONED')
})

test('PROV-130 a mint is ordered within the request and followed by reports', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  const wallet = await newSparkWallet(on.api)
  const mint = expectStatus(await postKeyed(on.api, mintsOf(coin), mintBody(wallet)), 201)
  assert.equal(mint.status, 'PENDING_FUNDING')
  assert.deepEqual(mint.fundingInstructions, WIRE)
  const order = lastOrder(on, 'COIN_MINT')
  assert.equal(text(order['operationId']), mint.id)
  assert.deepEqual(order['amount'], { amount: '1000000', decimals: 6 })
  assert.equal(text(order['accountId']), 'acct_1')
  assert.deepEqual(order['source'], { type: 'WIRE' })
  assert.equal(text(order['destination']?.['account']?.['accountType']), 'SPARK_WALLET')
  assert.deepEqual(order['credentials'], { apiClientId: 'acme', apiClientSecret: SECRET })
  const progress = { state: 'ACCEPTED', operationState: 'PROCESSING', providerStatus: 'minting' }
  assert.equal((await on.provider.report(order, 1, progress))['result'], 'APPLIED')
  assert.deepEqual(await statusOf(on, mint), ['PROCESSING', 'minting'])
  const end = { state: 'DECIDED', operationState: 'COMPLETED', amount: '1000000' }
  assert.equal((await on.provider.report(order, 2, end))['result'], 'APPLIED')
  assert.deepEqual(await statusOf(on, mint), ['COMPLETED', 'COMPLETED'])
})

test('PROV-130 a burn fails with the reason of the provider, and a refused one at once', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  const bank = await newBankAccount(on.api)
  const burn = expectStatus(await postKeyed(on.api, burnsOf(coin), burnBody(bank)), 201)
  assert.equal(burn.status, 'PENDING_PROVIDER')
  const order = lastOrder(on, 'COIN_BURN')
  assert.equal(text(order['destination']?.['rail']), 'ACH_CREDIT')
  assert.ok(order['destination']?.['account']?.['accountInfo']?.['accountNumber'])
  const failure = { operationState: 'FAILED', failureReason: 'PAYOUT_REJECTED' }
  await on.provider.report(order, 1, { state: 'DECIDED', ...failure })
  assert.deepEqual(await statusOf(on, burn), ['FAILED', 'FAILED', 'PAYOUT_REJECTED'])

  answerWith(on, { COIN_BURN: { json: { state: 'REFUSED', reason: 'LIMIT_EXCEEDED' } } })
  const refused = expectStatus(await postKeyed(on.api, burnsOf(coin), burnBody(bank)), 201)
  const ended = ['FAILED', 'LIMIT_EXCEEDED', 'PROVIDER_TRANSFER_FAILED']
  assert.deepEqual(await statusOf(on, refused), ended)
})

test('PROV-130 STBL-19 without an answer only the platform’s retry sends the order again; meanwhile it is asked for', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  const body = mintBody(await newSparkWallet(on.api))
  answerWith(on, { COIN_MINT: 'reset' })
  for (let tries = 0; tries < 2; tries += 1) {
    expectError(await postKeyed(on.api, mintsOf(coin), body, 'mine'), 503, 'SERVICE_UNAVAILABLE')
  }
  assert.equal(sent(on, 'COIN_MINT').length, 2)
  await advanceSeconds(on.api, 3_600)
  assert.equal(sent(on, 'COIN_MINT').length, 2, 'nothing was sent by itself')
  const id = text(lastOrder(on, 'COIN_MINT')['id'])
  assert.ok(on.provider.received.some(({ method, path }) => method === 'GET' && path.endsWith(id)))
  answerWith(on, {})
  const mint = expectStatus(await postKeyed(on.api, mintsOf(coin), body, 'mine'), 201)
  assert.equal(mint.status, 'PENDING_FUNDING')
  const calls = sent(on, 'COIN_MINT')
  assert.equal(calls.length, 3)
  assert.equal(new Set(calls.map(({ bytes }) => bytes)).size, 1, 'the same bytes under one id')
  const list = expectStatus(await on.api.get(`${COINS}/${coin.id}/operations`), 200)
  assert.equal(list.totalCount, 1)
})

test('PROV-130 a report about an order whose answer was lost makes the operation visible', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  const body = mintBody(await newSparkWallet(on.api))
  answerWith(on, { COIN_MINT: 'reset' })
  expectError(await postKeyed(on.api, mintsOf(coin), body, 'lost'), 503, 'SERVICE_UNAVAILABLE')
  const order = lastOrder(on, 'COIN_MINT')
  const known = { reference: 'M1', providerStatus: 'awaiting_wire', fundingInstructions: WIRE }
  await on.provider.report(order, 1, { state: 'ACCEPTED', ...known })
  const mint = expectStatus(await postKeyed(on.api, mintsOf(coin), body, 'lost'), 201)
  assert.deepEqual([mint.status, mint.fundingInstructions], ['PENDING_FUNDING', WIRE])
  assert.equal(sent(on, 'COIN_MINT').length, 1, 'it need not be sent again')
})

test('PROV-130 PROV-141 what cannot be sent within the request is not sent later, and the retry orders it', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  const body = mintBody(await newSparkWallet(on.api))
  const { read } = kit.florin.deps.db
  const providerId = mustParseId('provider', on.provider.id)
  const setCircuit = (circuit: string) =>
    read.run(
      sql`insert into provider_health (provider_id, circuit, opened_at, try_at)
          values (${providerId}, ${circuit}, now(), now() + interval '1 hour')
          on conflict (provider_id) do update set circuit = excluded.circuit, try_at = excluded.try_at`,
    )
  await setCircuit('OPEN')
  expectError(await postKeyed(on.api, mintsOf(coin), body, 'kept'), 503, 'SERVICE_UNAVAILABLE')
  await setCircuit('CLOSED')
  await eventually(async () => {
    const [order] = items(await operate(kit, `orders list --provider ${on.provider.id}`))
    assert.equal(order?.['state'], 'FAILED')
  })
  assert.equal(sent(on, 'COIN_MINT').length, 0)
  await operate(kit, `providers update ${on.provider.id} --status PAUSED`)
  expectError(await postKeyed(on.api, mintsOf(coin), body, 'kept'), 503, 'SERVICE_UNAVAILABLE')
  await operate(kit, `providers update ${on.provider.id} --status ENABLED`)
  const mint = expectStatus(await postKeyed(on.api, mintsOf(coin), body, 'kept'), 201)
  assert.equal(mint.status, 'PENDING_FUNDING')
  assert.equal(sent(on, 'COIN_MINT').length, 1)
})

const BAD: readonly (readonly [because: string, said: object, result: string])[] = [
  ['another amount', { state: 'DECIDED', operationState: 'COMPLETED', amount: '999' }, 'EXCEPTION'],
  ['no known end', { state: 'DECIDED', operationState: 'DONE' }, 'EXCEPTION'],
  [
    'no known reason',
    { state: 'DECIDED', operationState: 'FAILED', failureReason: 'X' },
    'EXCEPTION',
  ],
  ['no known progress', { state: 'ACCEPTED', operationState: 'SLEEPING' }, 'REJECTED'],
  ['another reference', { state: 'ACCEPTED', reference: 'M2' }, 'EXCEPTION'],
  ['another order', { orderId: `Order:${randomUUID()}`, state: 'ACCEPTED' }, 'REJECTED'],
]

for (const [because, said, result] of BAD) {
  test(`PROV-130 a bad report moves nothing: ${because}`, async () => {
    const on = await setup()
    const coin = await newCoin(on)
    const wallet = await newSparkWallet(on.api)
    const mint = expectStatus(await postKeyed(on.api, mintsOf(coin), mintBody(wallet)), 201)
    const reported = await on.provider.report(lastOrder(on, 'COIN_MINT'), 1, said)
    assert.equal(reported['result'], result)
    assert.deepEqual(await statusOf(on, mint), ['PENDING_FUNDING', 'awaiting_wire'])
  })
}

test('PROV-130 an end that contradicts a former one is for the operator, and changes nothing', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  const wallet = await newSparkWallet(on.api)
  const mint = expectStatus(await postKeyed(on.api, mintsOf(coin), mintBody(wallet)), 201)
  const order = lastOrder(on, 'COIN_MINT')
  const end = { state: 'DECIDED', operationState: 'COMPLETED' }
  assert.equal((await on.provider.report(order, 1, end))['result'], 'APPLIED')
  assert.equal((await on.provider.report(order, 2, end))['result'], 'DUPLICATE')
  const other = { state: 'DECIDED', operationState: 'FAILED', failureReason: 'FUNDING_REJECTED' }
  assert.equal((await on.provider.report(order, 3, other))['result'], 'EXCEPTION')
  assert.deepEqual(await statusOf(on, mint), ['COMPLETED', 'COMPLETED'])
  const open = items(await operate(kit, `exceptions list --platform ${on.platform.platformId}`))
  assert.deepEqual(
    open.map(({ type }) => type),
    ['DECIDED_OTHERWISE'],
  )
})

test('PROV-130 credentials are sealed at rest, and go to the provider that verified them only', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  const wallet = await newSparkWallet(on.api)
  answerWith(on, { COIN_MINT: 'reset' })
  expectError(await postKeyed(on.api, mintsOf(coin), mintBody(wallet)), 503, 'SERVICE_UNAVAILABLE')
  const { read } = kit.florin.deps.db
  for (const table of ['provider_orders', 'stablecoin_provider_accounts', 'order_reports']) {
    const rows = await read.many<{ row: string }>({
      parts: [`select t::text as row from ${table} t`],
      values: [],
    })
    const hex = Buffer.from(SECRET).toString('hex')
    for (const { row } of rows) assert.ok(!row.includes(SECRET) && !row.includes(hex), table)
  }
  await operate(
    kit,
    `providers update ${on.provider.id} --platform ${(await kit.platform()).platformId}`,
  )
  const line = `--environment SANDBOX --platform ${on.platform.platformId} --ports stablecoins`
  const other = await scriptedProvider(kit, line)
  answerWith({ provider: other }, {})
  answerWith(on, {})
  const mint = expectStatus(await postKeyed(on.api, mintsOf(coin), mintBody(wallet)), 201)
  assert.equal(mint.status, 'PENDING_FUNDING')
  assert.deepEqual(other.received, [])
  await eventually(async () => {
    const row = await read.one<{ count: number }>(
      sql`select count(*)::int as count from provider_orders where state = 'ACCEPTED' and sealed_secret is not null`,
    )
    assert.equal(row.count, 0, 'an order that was answered holds no credentials')
  })
})

test('PROV-130 credentials are verified again every day, and a link that was withdrawn serves no more', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  answerWith(on, { COIN_LINK: decided({ verdict: 'REVOKED' }) })
  await advanceSeconds(on.api, 86_401)
  const [only] = expectStatus(await on.api.get(LINKS), 200).data
  assert.equal(only?.status, 'REVOKED')
  const wallet = await newSparkWallet(on.api)
  const refused = await postKeyed(on.api, mintsOf(coin), mintBody(wallet))
  expectError(refused, 400, 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED')
})

test('PROV-130 what the provider completes is completed, also after its credentials were withdrawn', async () => {
  const on = await setup()
  const coin = await newCoin(on)
  const wallet = await newSparkWallet(on.api)
  const mint = expectStatus(await postKeyed(on.api, mintsOf(coin), mintBody(wallet)), 201)
  answerWith(on, { COIN_LINK: decided({ verdict: 'REVOKED' }) })
  await advanceSeconds(on.api, 86_401)
  const end = { state: 'DECIDED', operationState: 'COMPLETED' }
  const reported = await on.provider.report(lastOrder(on, 'COIN_MINT'), 1, end)
  assert.equal(reported['result'], 'APPLIED')
  assert.deepEqual(await statusOf(on, mint), ['COMPLETED', 'COMPLETED'])
})

test('PROV-130 PROV-46 an order that never arrived and is carried out after all does not pass for its successor', async () => {
  const on = await setup('--window 300')
  const coin = await newCoin(on)
  const body = mintBody(await newSparkWallet(on.api))
  answerWith(on, { COIN_MINT: 'reset' })
  expectError(await postKeyed(on.api, mintsOf(coin), body, 'again'), 503, 'SERVICE_UNAVAILABLE')
  const lost = lastOrder(on, 'COIN_MINT')
  await advanceSeconds(on.api, 7_200)
  answerWith(on, {})
  const mint = expectStatus(await postKeyed(on.api, mintsOf(coin), body, 'again'), 201)
  const end = { state: 'DECIDED', operationState: 'COMPLETED' }
  assert.equal((await on.provider.report(lost, 1, end))['result'], 'EXCEPTION')
  assert.deepEqual(await statusOf(on, mint), ['PENDING_FUNDING', 'awaiting_wire'])
  const next = lastOrder(on, 'COIN_MINT')
  assert.notEqual(text(next['id']), text(lost['id']))
  assert.equal((await on.provider.report(next, 1, end))['result'], 'APPLIED')
  assert.deepEqual(await statusOf(on, mint), ['COMPLETED', 'COMPLETED'])
})

const SCALES = [
  { decimals: 18, amount: '9220000000000000000', cents: '922', refused: '9223372036854775807' },
  { decimals: 8, amount: '9223372036854000000', cents: '9223372036854', refused: '1000001' },
  { decimals: 0, amount: '9223372036854775807', cents: '922337203685477580700', refused: '0' },
]

for (const { decimals, amount, cents, refused } of SCALES) {
  test(`PROV-130 STBL-10 STBL-20 a coin of ${decimals} decimals is burnt to the last unit`, async () => {
    const on = await setup()
    answerWith(on, { COIN_TOKEN: decided({ token: { ...TOKEN, decimals } }) })
    const coin = await newCoin(on)
    const bank = await newBankAccount(on.api)
    const ask = (of: string) => postKeyed(on.api, burnsOf(coin), burnBody(bank, { amount: of }))
    const burn = expectStatus(await ask(amount), 201)
    assert.deepEqual([burn.amount, burn.estimatedDelivery?.amount], [amount, cents])
    const order = lastOrder(on, 'COIN_BURN')
    assert.deepEqual(order['amount'], { amount, decimals })
    const end = { state: 'DECIDED', operationState: 'COMPLETED', amount }
    assert.equal((await on.provider.report(order, 1, end))['result'], 'APPLIED')
    expectError(await ask(refused), 400, 'INVALID_AMOUNT')
  })
}
