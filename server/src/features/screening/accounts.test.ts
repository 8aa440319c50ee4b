import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { eventTypesOf, payee, payer, quote } from '../../../test/kit/payments.ts'
import {
  MATCH,
  screeningProvider,
  type Screener,
} from '../../../test/kit/setups/screening-provider.ts'

const kit = await startOwnKit()

type Setup = Screener &
  Readonly<{
    platform: TestPlatform
    customerId: string
    account: string
  }>

/** A payer first, so that only what the test creates is screened. */
async function setup(options = ''): Promise<Setup> {
  const platform = await kit.platform()
  const { account, customerId } = await payer(platform)
  const screener = await screeningProvider(kit, platform, { options })
  return { ...screener, platform, customerId, account }
}

const statusOf = async ({ platform: { api } }: Setup, id: string): Promise<string> =>
  expectStatus(await api.get(`/customers/external-accounts/${id}`), 200).status

test('PROV-102 a bank account waits for the verdict: CLEAR makes it ACTIVE', async () => {
  const on = await setup()
  const id = await payee(on.platform, 'EUR_ACCOUNT', { customerId: on.customerId })
  assert.equal(await statusOf(on, id), 'PENDING')
  const order = await on.orderOf(id)
  assert.equal(order['type'], 'SCREENING')
  assert.equal(order['subjectType'], 'EXTERNAL_ACCOUNT')
  assert.equal(order['account']?.['accountType'], 'EUR_ACCOUNT')
  assert.ok(items(order['parties'])[0]?.['name'])
  assert.equal((await on.decide(order, 'CLEAR'))['result'], 'APPLIED')
  assert.equal(await statusOf(on, id), 'ACTIVE')
  assert.ok((await eventTypesOf(on.platform, id)).includes('EXTERNAL_ACCOUNT.STATUS_UPDATED'))
})

test('PROV-102 REVIEW puts it under review, BLOCK makes it unusable', async () => {
  const on = await setup()
  for (const [verdict, status] of [
    ['REVIEW', 'UNDER_REVIEW'],
    ['BLOCK', 'INACTIVE'],
  ] as const) {
    const suffix = verdict === 'REVIEW' ? '100' : '200'
    const id = await payee(on.platform, 'EUR_ACCOUNT', { customerId: on.customerId, suffix })
    await on.decide(await on.orderOf(id), verdict, [MATCH])
    assert.equal(await statusOf(on, id), status)
    const { api } = on.platform
    const seen = expectStatus(await api.get(`/customers/external-accounts/${id}`), 200)
    assert.ok(!JSON.stringify(seen).includes('OFAC'), 'PROV-107 platforms never see a match')
  }
})

test('PROV-103 a wallet is screened too, and a blocked one cannot be paid', async () => {
  const on = await setup()
  const id = await payee(on.platform, 'SPARK_WALLET', { customerId: on.customerId })
  const order = await on.orderOf(id)
  assert.equal(order['subjectType'], 'WALLET')
  assert.equal(await statusOf(on, id), 'PENDING')
  await on.decide(order, 'BLOCK', [MATCH])
  assert.equal(await statusOf(on, id), 'INACTIVE')
  const refused = await quote(on.platform, { from: on.account, to: id, amount: 1_000 })
  expectError(refused, 400, 'INVALID_BANK_ACCOUNT')
})

test('PROV-107 verdict, list version, matches and time are kept for reviewers', async () => {
  const on = await setup()
  const id = await payee(on.platform, 'EUR_ACCOUNT', { customerId: on.customerId })
  const order = await on.orderOf(id)
  await on.decide(order, 'REVIEW', [MATCH])
  const [found] = items(await operate(kit, `screening show ${id}`))
  assert.ok(found)
  assert.equal(found['orderId'], order['id'])
  assert.equal(found['verdict'], 'REVIEW')
  assert.equal(found['listVersion'], '1')
  assert.deepEqual(found['matches'], [MATCH])
  await operate(kit, `external-accounts set-status ${id} ACTIVE`)
  assert.equal(await statusOf(on, id), 'ACTIVE')
})

test('PROV-109 without a verdict in the window it is reviewed, never clear', async () => {
  const on = await setup('--window 300')
  const id = await payee(on.platform, 'EUR_ACCOUNT', { customerId: on.customerId })
  const order = await on.orderOf(id)
  const advance = async (advanceSeconds: number): Promise<void> =>
    void expectStatus(await on.platform.api.post('/sandbox/clock', { advanceSeconds }), 200)
  await advance(300)
  assert.equal(await statusOf(on, id), 'UNDER_REVIEW')
  const types = items(await operate(kit, `exceptions list --platform ${on.platform.platformId}`))
  assert.deepEqual(
    types.map(({ type }) => type),
    ['OUTCOME_UNKNOWN'],
  )
  await on.decide(order, 'CLEAR')
  assert.equal(await statusOf(on, id), 'UNDER_REVIEW', 'PROV-107 only an operator lifts it')
})

test('PROV-109 a refused question and a verdict of no known form are reviewed', async () => {
  const on = await setup()
  const first = await payee(on.platform, 'EUR_ACCOUNT', { customerId: on.customerId })
  assert.equal((await on.decide(await on.orderOf(first), 'FINE'))['result'], 'EXCEPTION')
  assert.equal(await statusOf(on, first), 'UNDER_REVIEW')
  on.provider.answer(() => ({ json: { state: 'REFUSED', reason: 'UNSUPPORTED' } }))
  const suffix = '100'
  const second = await payee(on.platform, 'EUR_ACCOUNT', { customerId: on.customerId, suffix })
  await eventually(async () => assert.equal(await statusOf(on, second), 'UNDER_REVIEW'))
})

test('PROV-102 PROV-106 a worse verdict on the same order acts, a better one is left to the operator', async () => {
  const on = await setup()
  const id = await payee(on.platform, 'EUR_ACCOUNT', { customerId: on.customerId })
  const order = await on.orderOf(id)
  for (const [sequence, verdict, result, status] of [
    [1, 'CLEAR', 'APPLIED', 'ACTIVE'],
    [2, 'BLOCK', 'APPLIED', 'INACTIVE'],
    [3, 'BLOCK', 'DUPLICATE', 'INACTIVE'],
    [4, 'CLEAR', 'EXCEPTION', 'INACTIVE'],
  ] as const) {
    const said = { state: 'DECIDED', verdict, listVersion: '1', matches: [] }
    const answer = await on.provider.report(order, sequence, said)
    assert.deepEqual([answer['result'], await statusOf(on, id)], [result, status])
  }
  const open = items(await operate(kit, `exceptions list --platform ${on.platform.platformId}`))
  assert.deepEqual(
    open.map(({ type }) => type),
    ['DECIDED_OTHERWISE'],
  )
})
