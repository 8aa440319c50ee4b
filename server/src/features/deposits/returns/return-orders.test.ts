import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  scriptedProvider,
  type ScriptedProvider,
} from '../../../../test/kit/outside/scripted-provider.ts'
import { readTransaction } from '../../../../test/kit/payments.ts'
import { awaitFunds, depositSetup, dollars } from '../../../../test/kit/setups/deposit-provider.ts'

const kit = await startOwnKit()
const PORTS = { ports: 'rails,deposits' }

const statusOf = async (id: unknown): Promise<string> =>
  text((await operate(kit, `deposits show ${text(id)}`))['status'])

const advance = async ({ api }: TestPlatform, advanceSeconds: number): Promise<void> =>
  void expectStatus(await api.post('/sandbox/clock', { advanceSeconds }), 200)

const settle = (order: Body) => {
  const { amount, currency } = order['amount'] as Body
  return { state: 'SETTLED', amount: { amount, currency } }
}

test('PROV-83 late funds of a quote are ordered back of the provider that reported them', async () => {
  const { platform, provider, account, send } = await depositSetup(kit, PORTS)
  const { reference } = await awaitFunds(platform, account)
  await advance(platform, 3_600)
  const sender = { name: 'Jane Doe', account: '4000123344411', bank: 'First Bank' }
  const late = await send(dollars(20_000, { rail: 'RTP', reference, sender }))
  assert.equal(text(late['depositStatus']), 'RETURNING')
  const id = text(late['transactionId'])
  const order = await provider.orderOf(id)
  assert.deepEqual(
    [order['type'], order['rail'], order['amount']?.['amount'], order['creditor']?.['name']],
    ['DEPOSIT_RETURN', 'RTP', 20_000, 'Jane Doe'],
  )
  const { account: accountNumber, bank } = sender
  assert.deepEqual(order['creditorAccount'], { accountNumber, bank })
  assert.equal(text((await readTransaction(platform, id)).refund?.status), 'PENDING')
  assert.equal(text((await provider.report(order, 1, settle(order)))['result']), 'APPLIED')
  assert.equal(await statusOf(id), 'RETURNED')
  const shown = await readTransaction(platform, id)
  assert.equal(text(shown.refund?.status), 'COMPLETED')
  assert.equal('reportedBy' in (shown.source ?? {}), false, 'platforms see no provider')
})

test('PROV-83 what the operator returns is ordered, and stays where that fails', async () => {
  const { platform, provider, number, send } = await depositSetup(kit, PORTS)
  const held = text(
    (await send(dollars(500, { to: { accountNumber: number }, review: true })))['transactionId'],
  )
  assert.equal((await operate(kit, `deposits return ${held}`))['status'], 'RETURNING')
  await assert.rejects(operate(kit, `deposits return ${held}`), { code: 'CONFLICT' })
  await assert.rejects(operate(kit, `deposits release ${held}`), {
    code: 'INVALID_STATE_TRANSITION',
  })
  const first = await provider.orderOf(held)
  await provider.report(first, 1, { state: 'FAILED', reason: 'ACCOUNT_CLOSED' })
  assert.equal(await statusOf(held), 'HELD')
  const open = items(await operate(kit, 'exceptions list'))
  const found = open.find(({ orderId }) => text(orderId) === text(first['id']))
  assert.equal(text(found?.['type']), 'RETURN_FAILED')
  await operate(kit, `deposits return ${held}`)
  const second = await eventually(async () => {
    const latest = await provider.orderOf(held)
    assert.notEqual(text(latest['id']), text(first['id']))
    return latest
  })
  await provider.report(second, 1, settle(second))
  assert.equal(await statusOf(held), 'RETURNED')
  assert.equal((await readTransaction(platform, held)).status, 'FAILED')
})

test('PROV-83 PROV-55 a return of no owner that bounces comes in once more', async () => {
  const { provider, send } = await depositSetup(kit, PORTS)
  const item = dollars(300)
  await send(item)
  const [parked] = items(await operate(kit, 'deposits list --all')).filter(
    (one) => text(one['providerDepositId']) === item.depositId,
  )
  const id = text(parked?.['depositId'])
  assert.equal((await operate(kit, `deposits return ${id}`))['status'], 'RETURNING')
  const order = await provider.orderOf(id)
  await provider.report(order, 1, settle(order))
  assert.equal(await statusOf(id), 'RETURNED')
  const amount = { amount: 300, currency: 'USD' }
  const bounced = { state: 'RETURNED', amount, returnId: 'r1' }
  assert.equal(text((await provider.report(order, 2, bounced))['result']), 'APPLIED')
  const again = items(await operate(kit, 'deposits list --all')).find((one) =>
    text(one['trace']).startsWith(text(order['id'])),
  )
  assert.deepEqual([again?.['status'], again?.['amount']], ['UNATTRIBUTED', 300])
  assert.equal((await operate(kit, 'ledger check'))['ok'], true)
})

test('PROV-83 QUOTE-19 another amount for a quote is refunded by the provider that reported it', async () => {
  const { platform, provider, account, send } = await depositSetup(kit, PORTS)
  const other = await scriptedProvider(
    kit,
    `--environment SANDBOX --platform ${platform.platformId} --ports rails --rail RTP`,
  )
  const { transactionId, reference } = await awaitFunds(platform, account)
  assert.equal(
    text((await send(dollars(19_999, { rail: 'RTP', reference })))['depositStatus']),
    'TAKEN',
  )
  await advance(platform, 1)
  const order = await provider.orderOf(transactionId)
  assert.deepEqual([order['type'], order['amount']?.['amount']], ['REFUND', 19_999])
  assert.equal(other.orders().length, 0)
  await provider.report(order, 1, settle(order))
  const failed = await readTransaction(platform, transactionId)
  assert.deepEqual(
    [failed.status, failed.failureReason, failed.refund?.status],
    ['FAILED', 'FUNDING_AMOUNT_MISMATCH', 'COMPLETED'],
  )
})

/** The provider says that an order failed, and then that it was carried out; the operator believes the latter. */
async function settleAfterAll(provider: ScriptedProvider, order: Body): Promise<void> {
  await provider.report(order, 1, { state: 'FAILED', reason: 'OTHER' })
  const { exceptionId } = await provider.report(order, 2, settle(order))
  await operate(kit, `exceptions resolve ${text(exceptionId)} --as SETTLED --note x`)
  assert.equal((await operate(kit, 'ledger check'))['ok'], true)
}

test('PROV-70 a deposit whose return was settled after all is returned', async () => {
  const { provider, number, send } = await depositSetup(kit, PORTS)
  const item = dollars(500, { to: { accountNumber: number }, review: true })
  const held = text((await send(item))['transactionId'])
  await operate(kit, `deposits return ${held}`)
  await settleAfterAll(provider, await provider.orderOf(held))
  assert.equal(await statusOf(held), 'RETURNED')
})

test('PROV-70 L8f a refund that was settled after all leaves suspense, and nobody pays for it', async () => {
  const { platform, provider, account, send } = await depositSetup(kit, PORTS)
  const { transactionId, reference } = await awaitFunds(platform, account)
  await send(dollars(19_999, { rail: 'RTP', reference }))
  await advance(platform, 1)
  await settleAfterAll(provider, await provider.orderOf(transactionId))
  const failed = await readTransaction(platform, transactionId)
  assert.deepEqual([failed.status, failed.refund?.status], ['FAILED', 'COMPLETED'])
  const line = `ledger balances --platform ${platform.platformId} --exceptions`
  assert.deepEqual(items(await operate(kit, line)), [])
})
