import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { balanceOf, readTransaction } from '../../../../test/kit/payments.ts'
import {
  awaitFunds,
  depositSetup,
  dollars,
  type DepositSetup,
} from '../../../../test/kit/setups/deposit-provider.ts'
import { MATCH, screenerOf, type Screener } from '../../../../test/kit/setups/screening-provider.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()

type Setup = DepositSetup & Pick<Screener, 'orderOf' | 'decide'>

async function setup(options = '--payment-threshold USD:5000'): Promise<Setup> {
  const on = await depositSetup(kit, { ports: 'deposits,screening', options })
  const { orderOf, decide } = screenerOf(on.provider)
  return { ...on, orderOf, decide }
}

const heldOf = async (on: Setup, amount = 5_000, more: object = {}): Promise<string> => {
  const to = { accountNumber: on.number }
  const sent = await on.send(dollars(amount, { to, sender: { name: 'Jane Doe' }, ...more }))
  assert.equal(text(sent['depositStatus']), 'HELD')
  return text(sent['transactionId'])
}

const statusOf = async ({ platform }: { platform: TestPlatform }, id: string): Promise<string> =>
  (await readTransaction(platform, id)).status

const shown = (id: string): Promise<Body> => operate(kit, `deposits show ${id}`)

test('PROV-105 a deposit at the threshold is held until it is clear; one below it is not', async () => {
  const on = await setup()
  const below = await on.send(dollars(4_999, { to: { accountNumber: on.number } }))
  assert.equal(text(below['depositStatus']), 'TAKEN')
  const id = await heldOf(on)
  const { status, pendingReason } = await readTransaction(on.platform, id)
  assert.deepEqual([status, pendingReason], ['PENDING', 'COMPLIANCE_REVIEW'])
  const order = await on.orderOf(id)
  assert.deepEqual(
    [order['subjectType'], order['direction'], order['amount']],
    ['PAYMENT', 'INCOMING', { amount: 5_000, currency: 'USD', decimals: 2 }],
  )
  assert.equal(order['parties']?.[0]?.['name'], 'Jane Doe')
  await on.decide(order, 'CLEAR')
  assert.equal(await statusOf(on, id), 'COMPLETED')
  assert.equal(await balanceOf(on.platform, on.account), 9_999)
})

test('PROV-105 REVIEW leaves it held, on the deposits list with the matches', async () => {
  const on = await setup()
  const id = await heldOf(on)
  await on.decide(id, 'REVIEW', [MATCH])
  const line = items(await operate(kit, 'deposits list')).find(
    ({ depositId }) => text(depositId) === id,
  )
  assert.deepEqual(
    [line?.['status'], line?.['screening']?.['verdict'], line?.['screening']?.['matches']],
    ['HELD', 'REVIEW', [MATCH]],
  )
  const seen = JSON.stringify(await readTransaction(on.platform, id))
  assert.ok(!seen.includes('OFAC'), 'PROV-107 platforms never see a match')
  await operate(kit, `deposits release ${id}`)
  assert.equal(await statusOf(on, id), 'COMPLETED')
})

test('PROV-105 PROV-107 BLOCK marks it, nothing goes back by itself, and a release needs a note', async () => {
  const on = await setup()
  const id = await heldOf(on)
  await on.decide(id, 'BLOCK', [MATCH])
  const { status, screening } = await shown(id)
  assert.deepEqual([status, screening?.['verdict']], ['HELD', 'BLOCK'])
  await assert.rejects(operate(kit, `deposits release ${id}`), { code: 'INVALID_INPUT' })
  await operate(kit, `deposits release ${id} --note`, 'another person')
  assert.equal(await statusOf(on, id), 'COMPLETED')
})

test('PROV-105 what has to be reviewed anyway is not released by a CLEAR', async () => {
  const on = await setup()
  const id = await heldOf(on, 5_000, { review: true })
  await on.decide(id, 'CLEAR')
  assert.equal((await shown(id))['status'], 'HELD')
})

test('PROV-105 PROV-109 a verdict after the window does not release it', async () => {
  const on = await setup('--window 300')
  const id = await heldOf(on)
  const order = await on.orderOf(id)
  expectStatus(await on.platform.api.post('/sandbox/clock', { advanceSeconds: 300 }), 200)
  await on.decide(order, 'CLEAR')
  assert.equal((await shown(id))['status'], 'HELD')
})

/** The id of what waits without an owner, by the provider's id of it. */
const parkedAs = async (sent: string): Promise<string> => {
  const line = items(await operate(kit, 'deposits list')).find(
    ({ providerDepositId }) => String(providerDepositId) === sent,
  )
  return text(line?.['depositId'])
}

test('PROV-105 funds of a quote wait without an owner, and execute it when they are clear', async () => {
  const on = await setup()
  const { transactionId, reference } = await awaitFunds(on.platform, on.account)
  const item = dollars(20_000, { reference })
  const sent = await on.send(item)
  assert.deepEqual([sent['depositStatus'], sent['reason']], ['UNATTRIBUTED', 'UNDER_REVIEW'])
  assert.equal(await statusOf(on, transactionId), 'PENDING')
  const id = await parkedAs(item.depositId)
  await on.decide(id, 'CLEAR')
  await eventually(async () => assert.equal(await statusOf(on, transactionId), 'COMPLETED'))
  assert.equal((await shown(id))['status'], 'TAKEN')
})

test('PROV-105 funds that are clear after their quote has expired are left to the operator', async () => {
  const on = await setup()
  const { reference } = await awaitFunds(on.platform, on.account)
  const item = dollars(20_000, { reference })
  await on.send(item)
  const id = await parkedAs(item.depositId)
  const order = await on.orderOf(id)
  expectStatus(await on.platform.api.post('/sandbox/clock', { advanceSeconds: 7_200 }), 200)
  await on.decide(order, 'CLEAR')
  assert.equal((await shown(id))['status'], 'UNATTRIBUTED')
  await operate(kit, `deposits return ${id}`)
  assert.equal((await shown(id))['status'], 'RETURNED')
})

test('PROV-105 coins that are converted wait without an owner, and are credited when they are clear', async () => {
  const on = await setup()
  const wallet = on.instructions
    .map((one) => one.accountOrWalletInfo)
    .find((info) => info.accountType === 'SOLANA_WALLET')
  const item = dollars(1, {
    amount: { amount: 60_000_000, currency: 'USDC' },
    rail: 'SOLANA',
    to: { address: text(wallet?.address) },
    proofs: { onChainTransaction: { transactionHash: newUuid(), network: 'SOLANA' } },
  })
  const sent = await on.send(item)
  assert.deepEqual([sent['depositStatus'], sent['reason']], ['UNATTRIBUTED', 'UNDER_REVIEW'])
  await on.decide(await parkedAs(item.depositId), 'CLEAR')
  assert.equal(await balanceOf(on.platform, on.account), 6_000)
})

test('PROV-105 what was nobody’s is screened when it gets an owner', async () => {
  const on = await setup()
  const item = dollars(5_000)
  assert.equal(text((await on.send(item))['depositStatus']), 'UNATTRIBUTED')
  const id = await parkedAs(item.depositId)
  await operate(kit, `deposits attribute ${id} --to ${on.account}`)
  assert.equal((await shown(id))['status'], 'HELD')
  await on.decide(id, 'CLEAR')
  assert.equal(await balanceOf(on.platform, on.account), 5_000)
})
