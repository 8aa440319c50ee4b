import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectError, expectFields, expectStatus, text } from '../../../test/kit/api.ts'
import { startKit } from '../../../test/kit/florin.ts'
import {
  customerAccount,
  eventTypesOf,
  execute,
  payee,
  payer,
  quote,
  readTransaction,
} from '../../../test/kit/payments.ts'

const kit = await startKit()

async function paid(accountType = 'EUR_ACCOUNT', suffix = '000') {
  const paying = await payer(await kit.platform())
  const { platform, account: from } = paying
  const to = await payee(platform, accountType, { suffix })
  const quoted = expectStatus(await quote(platform, { from, to, amount: 1000 }), 201)
  const id = quoted.transactionId
  return { ...paying, quoted, id, path: `/transactions/${id}` as const }
}

describe('TXN-13 receipts', () => {
  test('TXN-13 only what was completed once has a receipt', async () => {
    const { platform, quoted, path } = await paid()
    const { api } = platform
    expectError(await api.post(`${path}/confirm`), 400, 'INVALID_INPUT')
    expectStatus(await execute(platform, quoted), 200)
    const confirmed = expectStatus(await api.post(`${path}/confirm`), 200)
    assert.ok(confirmed.receiptDeliveryConfirmedAt)
    assert.equal(confirmed.updatedAt, (await readTransaction(platform, confirmed.id)).updatedAt)
  })

  test('TXN-13 its time lies between creation and five minutes ahead; repeating overwrites', async () => {
    const { platform, quoted, id, path } = await paid('EUR_ACCOUNT', '005')
    const { api } = platform
    expectStatus(await execute(platform, quoted), 200)
    const transaction = await readTransaction(platform, id)
    const createdMs = Date.parse(text(transaction.createdAt))
    const at = (ms: number) => ({
      receiptDeliveryConfirmedAt: new Date(createdMs + ms).toISOString(),
    })
    for (const wrong of [at(-1), at(400_000), { receiptDeliveryConfirmedAt: 'soon' }]) {
      expectFields(await api.post(`${path}/confirm`, wrong), ['receiptDeliveryConfirmedAt'])
    }
    for (const right of [at(0), at(290_000)]) {
      const confirmed = expectStatus(await api.post(`${path}/confirm`, right), 200)
      assert.equal(confirmed.receiptDeliveryConfirmedAt, right.receiptDeliveryConfirmedAt)
    }
    const emitted = (await eventTypesOf(platform, id)).length
    expectStatus(await api.post('/sandbox/clock', { advanceSeconds: 30 }), 200)
    const returned = await readTransaction(platform, id)
    assert.equal(returned.status, 'FAILED')
    assert.ok(returned.settledAt, 'stays when a return follows')
    expectStatus(await api.post(`${path}/confirm`), 200)
    assert.equal(
      (await eventTypesOf(platform, id)).length,
      emitted + 3,
      'a receipt is told to nobody',
    )
  })
})

test('TXN-14 nothing but what waits for the platform is approved or rejected', async () => {
  const { platform, path } = await paid()
  for (const action of ['approve', 'reject']) {
    const answer = await platform.api.post(`${path}/${action}`)
    expectError(answer, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
  }
  const long = { reason: 'x'.repeat(1001) }
  expectFields(await platform.api.post(`${path}/reject`, long), ['reason'])
})

describe('TXN-15 cancelling', () => {
  test('TXN-15 first the rail decides: what no bank can call back is refused with 400', async () => {
    const instant = await paid('EUR_ACCOUNT', '003')
    expectStatus(await execute(instant.platform, instant.quoted), 200)
    const refused = await instant.platform.api.post(`${instant.path}/cancel`)
    expectError(refused, 400, 'INVALID_INPUT')
    const wallet = await paid('SPARK_WALLET')
    expectError(await wallet.platform.api.post(`${wallet.path}/cancel`), 400, 'INVALID_INPUT')
    const { platform, customerId, account: from } = instant
    const to = await customerAccount(platform, customerId, 'EUR')
    const inside = expectStatus(await quote(platform, { from, to, amount: 10 }), 201)
    const answer = await platform.api.post(`/transactions/${inside.transactionId}/cancel`)
    expectError(answer, 400, 'INVALID_INPUT')
    const query = { type: 'INCOMING' }
    const [deposit] = expectStatus(await platform.api.get('/transactions', { query }), 200).data
    const deposited = await platform.api.post(`/transactions/${deposit?.id}/cancel`)
    expectError(deposited, 400, 'INVALID_INPUT')
  })

  test('TXN-15 then the state: not begun and over are refused with 409', async () => {
    const { platform, quoted, path } = await paid('USD_ACCOUNT')
    const cancel = () => platform.api.post(`${path}/cancel`)
    expectError(await cancel(), 409, 'TRANSACTION_NOT_CANCELLABLE')
    expectStatus(await execute(platform, quoted), 200)
    expectError(await cancel(), 409, 'TRANSACTION_NOT_CANCELLABLE')
  })

  test('TXN-15 a quote under way over ACH is cancelled and refunded, and never completes', async () => {
    const { platform, quoted, path, id } = await paid('USD_ACCOUNT', '003')
    expectStatus(await execute(platform, quoted), 200)
    const cancelled = expectStatus(
      await platform.api.post(`${path}/cancel`, { reason: 'typo' }),
      200,
    )
    assert.deepEqual(
      [cancelled.status, cancelled.refund?.status, cancelled.refund?.reason],
      ['FAILED', 'COMPLETED', 'USER_CANCELLATION'],
    )
    expectStatus(await platform.api.post('/sandbox/clock', { advanceSeconds: 361 }), 200)
    assert.deepEqual(await eventTypesOf(platform, id), [
      'OUTGOING_PAYMENT.PENDING',
      'OUTGOING_PAYMENT.PROCESSING',
      'OUTGOING_PAYMENT.FAILED',
      'OUTGOING_PAYMENT.REFUND_PENDING',
      'OUTGOING_PAYMENT.REFUND_COMPLETED',
    ])
  })
})

test('TXN-6 TXN-9 a refund has a reference of its own, by which it is found', async () => {
  const { platform, quoted, id } = await paid('EUR_ACCOUNT', '002')
  expectStatus(await execute(platform, quoted), 200)
  const { refund } = await readTransaction(platform, id)
  const query = { reference: text(refund?.reference) }
  const found = expectStatus(await platform.api.get('/transactions', { query }), 200).data
  assert.deepEqual(
    found.map((one) => one.id),
    [id],
  )
})
