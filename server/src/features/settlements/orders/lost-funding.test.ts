import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transaction } from '../../../../../sdk/src/index.ts'
import { expectStatus, items, text, type Body, type Shown } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import type { Received, Reply } from '../../../../test/kit/outside/scripted-provider.ts'
import {
  balanceOf,
  fund,
  payee,
  payer,
  platformAccount,
  quote,
} from '../../../../test/kit/payments.ts'
import { depositSetup, dollars } from '../../../../test/kit/setups/deposit-provider.ts'
import { railsSetup } from '../../../../test/kit/setups/rails.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { readBalances } from '../../../ledger/balances/balance-rows.ts'
import {
  RECEIVABLE_PLATFORM,
  SUSPENSE_REFUND_FAILED,
  type LedgerAccount,
} from '../../../ledger/chart.ts'

const kit = await startOwnKit()

const usd = (amount: number) => ({ amount, currency: 'USD' })
const ACCEPTED: Reply = { json: { state: 'ACCEPTED', reference: 'A1' } }

async function balanceIn(platformId: string, account: LedgerAccount): Promise<bigint> {
  const key = { platformId: mustParseId('platform', platformId), account, currency: 'USD' }
  const [row] = await readBalances(kit.florin.deps.db.read, [key])
  return row?.amount ?? 0n
}

/** A payment of 10,000 USD to an account in euros, pulled from a bank account of the customer. */
async function pulled({ own = 0 } = {}) {
  const made = await railsSetup(kit)
  const { platform, provider } = made
  const ownAccount = await platformAccount(platform, 'USD')
  if (own > 0) await fund(platform, ownAccount, own)
  const { customerId } = await payer(platform)
  const from = await payee(platform, 'USD_ACCOUNT', { customerId })
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
  const asked = expectStatus(await quote(platform, { from, to, amount: 10_000 }), 201)
  expectStatus(await platform.api.post(`/quotes/${asked.id}/execute`), 200)
  const id = asked.transactionId
  const pull = await provider.orderOf(id)
  const orderOf = (type: string): Promise<Body> =>
    eventually(() => {
      const order = provider.orders().find((one) => text(one['type']) === type)
      assert.ok(order, `${type} has come`)
      return order
    })
  const states = async (): Promise<Record<string, string>> => {
    const orders = items(await operate(kit, `orders list --transaction ${id}`))
    return Object.fromEntries(orders.map(({ type, state }) => [text(type), text(state)]))
  }
  const reportReturn = (amount: number, returnId: string, sequence: number) =>
    provider.report(pull, sequence, {
      state: 'RETURNED',
      amount: usd(amount),
      returnId,
      reason: 'R01',
    })
  return {
    ...made,
    id,
    from,
    states,
    orderOf,
    settlePull: () => provider.report(pull, 1, { state: 'SETTLED', amount: usd(10_000) }),
    /** The payout, once it is in this state. */
    async payoutIn(state: string): Promise<Body> {
      const order = await orderOf('PAYOUT')
      await eventually(async () => assert.equal((await states())['PAYOUT'], state))
      return order
    },
    reportReturn,
    returnPull: async (amount = 10_000, returnId = 'r1', sequence = 2) => {
      const { result } = await reportReturn(amount, returnId, sequence)
      assert.equal(text(result), 'APPLIED')
    },
    ownBalance: () => balanceOf(platform, ownAccount),
    owed: () => balanceIn(platform.platformId, RECEIVABLE_PLATFORM),
    types: async () => (await made.exceptions()).map(({ type }) => text(type)),
  }
}

const failureOf = ({ status, failureReason, refund }: Shown<Transaction>) => [
  status,
  failureReason,
  refund?.status,
]
const UNFUNDED = ['FAILED', 'QUOTE_EXECUTION_FAILED', undefined]

const settledEuros = { state: 'SETTLED', amount: { amount: 9_154, currency: 'EUR' } }

test('PROV-67 a pull that is returned before its payout was sent fails the payment without refund', async () => {
  const it = await pulled({ own: 5_000 })
  await operate(kit, `providers update ${it.provider.id} --status PAUSED`)
  await it.settlePull()
  assert.equal((await it.states())['PAYOUT'], 'QUEUED')
  await it.returnPull()
  assert.deepEqual(failureOf(await it.transaction(it.id)), UNFUNDED)
  assert.deepEqual(await it.states(), { PULL: 'RETURNED', PAYOUT: 'FAILED' })
  assert.deepEqual([await it.ownBalance(), await it.owed(), await it.types()], [5_000, 0n, []])
  await operate(kit, `providers update ${it.provider.id} --status ENABLED`)
  assert.ok(
    it.provider.orders().every(({ type }) => text(type) === 'PULL'),
    'nothing was paid out',
  )
})

test('PROV-67 PROV-63 a pull whose return is reported before its settlement pays nothing out', async () => {
  const it = await pulled({ own: 5_000 })
  assert.equal(text((await it.reportReturn(10_000, 'r1', 2))['result']), 'WAITING')
  await it.settlePull()
  assert.deepEqual(failureOf(await it.transaction(it.id)), UNFUNDED)
  assert.deepEqual(await it.states(), { PULL: 'RETURNED', PAYOUT: 'FAILED' })
  assert.deepEqual([await it.ownBalance(), await it.owed(), await it.types()], [5_000, 0n, []])
})

test('PROV-67 PROV-63 returns of a pull that wait for its settlement make the platform the one who is refunded', async () => {
  const it = await pulled({ own: 10_000 })
  await it.reportReturn(6_000, 'r1', 2)
  await it.reportReturn(4_000, 'r2', 3)
  await it.settlePull()
  assert.equal(await it.ownBalance(), 0)
  const payout = await it.payoutIn('ACCEPTED')
  await it.provider.report(payout, 1, { state: 'FAILED', reason: 'OTHER' })
  assert.equal((await it.transaction(it.id)).refund?.status, 'COMPLETED')
  assert.deepEqual([await it.ownBalance(), await it.owed()], [10_000, 0n])
  assert.deepEqual(Object.keys(await it.states()).toSorted(), ['PAYOUT', 'PULL'])
})

const answerCancel =
  (state: string) =>
  ({ path }: Received): Reply =>
    path.endsWith('/cancel') ? { json: { state } } : ACCEPTED

test('PROV-67 PROV-50 a payout that its provider has is called back, and then nothing is refunded', async () => {
  const it = await pulled({ own: 5_000 })
  it.provider.answer(answerCancel('CANCELLED'))
  await it.settlePull()
  await it.payoutIn('ACCEPTED')
  await it.returnPull()
  assert.deepEqual(failureOf(await it.settles(it.id, 'FAILED')), UNFUNDED)
  assert.deepEqual(await it.states(), { PULL: 'RETURNED', PAYOUT: 'FAILED' })
  assert.deepEqual([await it.ownBalance(), await it.owed(), await it.types()], [5_000, 0n, []])
})

test('PROV-67 V3 a payout that cannot be called back is paid by the platform once it is settled', async () => {
  const it = await pulled({ own: 4_000 })
  it.provider.answer(answerCancel('SENT'))
  await it.settlePull()
  const payout = await it.payoutIn('ACCEPTED')
  await it.returnPull()
  await eventually(() =>
    assert.ok(it.provider.received.some(({ path }) => path.endsWith('/cancel'))),
  )
  assert.deepEqual([await it.ownBalance(), await it.owed()], [4_000, 0n])
  await it.provider.report(payout, 1, settledEuros)
  assert.equal((await it.transaction(it.id)).status, 'COMPLETED')
  assert.deepEqual(await it.types(), ['PULL_RETURNED'])
  assert.equal(await it.ownBalance(), 0)
  assert.equal(await it.owed(), -6_000n)
})

test('PROV-67 V3 after the payout was sent the payment stays, the platform pays, and owes the rest', async () => {
  const it = await pulled({ own: 4_000 })
  await it.settlePull()
  const payout = await it.payoutIn('ACCEPTED')
  await it.provider.report(payout, 1, { state: 'SENT' })
  await it.returnPull()
  assert.equal((await it.transaction(it.id)).status, 'PROCESSING')
  assert.deepEqual(
    [await it.ownBalance(), await it.owed(), await it.types()],
    [0, -6_000n, ['PULL_RETURNED']],
  )
  assert.ok(!it.provider.received.some(({ path }) => path.endsWith('/cancel')))
  await it.provider.report(payout, 2, settledEuros)
  assert.equal((await it.transaction(it.id)).status, 'COMPLETED')
  assert.deepEqual([await it.owed(), (await it.types()).length], [-6_000n, 1])
  const [exception] = await it.exceptions()
  const resolved = await operate(
    kit,
    `exceptions resolve ${text(exception?.['exceptionId'])} --as IGNORED --note collected`,
  )
  assert.equal(text(resolved['status']), 'RESOLVED')
})

test('PROV-67 what comes back of a payment that the platform paid for is the platform’s', async () => {
  const failing = await pulled({ own: 4_000 })
  await failing.settlePull()
  const payout = await failing.payoutIn('ACCEPTED')
  await failing.provider.report(payout, 1, { state: 'SENT' })
  await failing.returnPull()
  await failing.provider.report(payout, 2, { state: 'FAILED', reason: 'ACCOUNT_CLOSED' })
  assert.deepEqual(failureOf(await failing.transaction(failing.id)), [
    'FAILED',
    'ACCOUNT_CANNOT_RECEIVE',
    'COMPLETED',
  ])
  assert.deepEqual([await failing.ownBalance(), await failing.owed()], [4_000, 0n])
  assert.ok(!failing.provider.orders().some(({ type }) => text(type) === 'REFUND'))

  const returned = await pulled()
  await returned.settlePull()
  const paid = await returned.payoutIn('ACCEPTED')
  await returned.provider.report(paid, 1, settledEuros)
  await returned.returnPull()
  assert.equal(await returned.owed(), -10_000n)
  const back = { ...settledEuros, state: 'RETURNED', returnId: 'p1' }
  await returned.provider.report(paid, 2, back)
  assert.deepEqual(failureOf(await returned.transaction(returned.id)), [
    'FAILED',
    'PAYOUT_RETURNED',
    'COMPLETED',
  ])
  assert.deepEqual([await returned.ownBalance(), await returned.owed()], [0, 0n])
})

test('PROV-67 PROV-64 a part of a pull is paid by the platform, and the payment goes on', async () => {
  const it = await pulled({ own: 1_000 })
  await operate(kit, `providers update ${it.provider.id} --status PAUSED`)
  await it.settlePull()
  await it.returnPull(3_000, 'r1', 2)
  assert.equal((await it.transaction(it.id)).status, 'PROCESSING')
  assert.deepEqual([await it.ownBalance(), await it.owed()], [0, -2_000n])
  await it.returnPull(7_000, 'r2', 3)
  assert.deepEqual([await it.owed(), (await it.types()).length], [-9_000n, 2])
  assert.equal((await it.states())['PULL'], 'RETURNED')
})

test('PROV-67 TXN-6 of a payment that a platform paid a part of, that part goes back to the platform', async () => {
  const failing = await pulled({ own: 1_000 })
  await failing.settlePull()
  const payout = await failing.payoutIn('ACCEPTED')
  await failing.returnPull(4_000)
  assert.deepEqual([await failing.ownBalance(), await failing.owed()], [0, -3_000n])
  await failing.provider.report(payout, 1, { state: 'FAILED', reason: 'OTHER' })
  assert.equal((await failing.orderOf('REFUND'))['amount']?.['amount'], 6_000)
  assert.deepEqual([await failing.ownBalance(), await failing.owed()], [1_000, 0n])

  const returned = await pulled({ own: 5_000 })
  await returned.settlePull()
  const paid = await returned.payoutIn('ACCEPTED')
  await returned.returnPull(4_000)
  await returned.provider.report(paid, 1, settledEuros)
  await returned.provider.report(paid, 2, { ...settledEuros, state: 'RETURNED', returnId: 'p1' })
  assert.equal((await returned.orderOf('REFUND'))['amount']?.['amount'], 6_000)
  assert.equal(await returned.ownBalance(), 5_000)
})

test('PROV-55 V1 a refund that comes back in parts lies in suspense, and has failed when all of it is back', async () => {
  const it = await pulled()
  await it.settlePull()
  const payout = await it.payoutIn('ACCEPTED')
  await it.provider.report(payout, 1, { state: 'FAILED', reason: 'OTHER' })
  const refund = await it.orderOf('REFUND')
  await eventually(async () => assert.equal((await it.states())['REFUND'], 'ACCEPTED'))
  await it.provider.report(refund, 1, { state: 'SETTLED', amount: usd(10_000) })
  const comesBack = (sequence: number, amount: number) =>
    it.provider.report(refund, sequence, {
      state: 'RETURNED',
      amount: usd(amount),
      returnId: `f${sequence}`,
    })
  const { platformId } = it.platform
  await comesBack(2, 4_000)
  assert.equal((await it.transaction(it.id)).refund?.status, 'COMPLETED')
  assert.equal(await balanceIn(platformId, SUSPENSE_REFUND_FAILED), 4_000n)
  assert.deepEqual(await it.types(), ['PULL_RETURNED'])
  await comesBack(3, 6_000)
  assert.equal((await it.transaction(it.id)).refund?.status, 'FAILED')
  assert.equal(await balanceIn(platformId, SUSPENSE_REFUND_FAILED), 10_000n)
  const waiting = items(await operate(kit, `refunds list --platform ${platformId}`))
  assert.deepEqual(
    waiting.map(({ amount }) => amount),
    [10_000],
  )
  await operate(kit, `refunds retry ${it.id}`)
  assert.equal((await it.transaction(it.id)).refund?.status, 'COMPLETED')
  assert.equal(await balanceIn(platformId, SUSPENSE_REFUND_FAILED), 0n)
})

/** A payment out that a deposit has executed. */
async function funded() {
  const made = await depositSetup(kit, { ports: 'deposits,rails' })
  const { platform, provider, customerId, send } = made
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const asked = await platform.api.post('/quotes', {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 20_000,
  })
  const body = expectStatus(asked, 201)
  const [instruction] = items(body.paymentInstructions)
  const reference = text(instruction?.accountOrWalletInfo.reference)
  const item = dollars(20_000, { rail: 'RTP', reference })
  const id = body.transactionId
  return {
    platform,
    provider,
    id,
    pay: () => send(item),
    read: async () => expectStatus(await platform.api.get(`/transactions/${id}`), 200),
    reverse: async () => {
      const reversal = { depositId: item.depositId, state: 'REVERSED', reversalId: newUuid() }
      return send({ ...reversal, amount: usd(20_000), reason: 'R01' })
    },
    types: async () =>
      items(await operate(kit, `exceptions list --platform ${platform.platformId}`)).map(
        ({ type }) => text(type),
      ),
  }
}

test('PROV-85 PROV-67 a reversed deposit fails a payment whose payout was not sent', async () => {
  const it = await funded()
  await operate(kit, `providers update ${it.provider.id} --status PAUSED`)
  assert.equal(text((await it.pay())['depositStatus']), 'TAKEN')
  assert.equal(text((await it.reverse())['result']), 'APPLIED')
  assert.deepEqual(failureOf(await it.read()), UNFUNDED)
  assert.deepEqual(
    [await it.types(), await balanceIn(it.platform.platformId, RECEIVABLE_PLATFORM)],
    [[], 0n],
  )
  assert.deepEqual(it.provider.orders(), [])
})

test('PROV-85 PROV-67 a reversed deposit calls a payout back, or its platform pays', async () => {
  const called = await funded()
  called.provider.answer(answerCancel('CANCELLED'))
  await called.pay()
  await called.provider.orderOf(called.id)
  await called.reverse()
  await eventually(async () => assert.deepEqual(failureOf(await called.read()), UNFUNDED))
  assert.deepEqual(await called.types(), [])

  const paid = await funded()
  await paid.pay()
  const payout = await paid.provider.orderOf(paid.id)
  await paid.provider.report(payout, 1, { state: 'SENT' })
  await paid.reverse()
  assert.deepEqual(await paid.types(), ['PULL_RETURNED'])
  assert.equal(await balanceIn(paid.platform.platformId, RECEIVABLE_PLATFORM), -20_000n)
  assert.equal((await paid.read()).status, 'PROCESSING')
})

test('PROV-55 V1 a refund that comes back waits for the operator like one that failed', async () => {
  const it = await pulled()
  await it.settlePull()
  const payout = await it.payoutIn('ACCEPTED')
  await it.provider.report(payout, 1, { state: 'FAILED', reason: 'ACCOUNT_CLOSED' })
  const refund = await it.orderOf('REFUND')
  await it.provider.report(refund, 1, { state: 'SETTLED', amount: usd(10_000) })
  const refundOf = async () => (await it.transaction(it.id)).refund?.status
  assert.equal(await refundOf(), 'COMPLETED')
  const back = { state: 'RETURNED', amount: usd(10_000), returnId: 'b1', reason: 'ACCOUNT_CLOSED' }
  await it.provider.report(refund, 2, back)
  assert.equal(await refundOf(), 'FAILED')
  const waiting = items(await operate(kit, `refunds list --platform ${it.platform.platformId}`))
  assert.deepEqual(
    waiting.map((one) => [one['transactionId'], one['amount']]),
    [[it.id, 10_000]],
  )
  await operate(kit, `refunds retry ${it.id}`)
  assert.equal(await refundOf(), 'COMPLETED')
})
