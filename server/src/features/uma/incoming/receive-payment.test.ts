import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type HasId,
} from '../../../../test/kit/api.ts'
import { advance, connect, openReceiver } from '../../../../test/kit/outside/connect-receiver.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import {
  balanceOf,
  eventTypesOf,
  payee,
  payer,
  readTransaction,
  type Paying,
} from '../../../../test/kit/payments.ts'
import type { Receiver } from '../../../../test/kit/outside/receiver.ts'
import { decide, receiveUma, sandboxUma, umaAddressOf } from '../../../../test/kit/uma.ts'

const kit = await startKit()

/** A customer with an empty account, on a platform whose endpoint answers the approval question as told. */
async function asked(answer?: {
  status: number
  body?: unknown
}): Promise<Paying & { receiver: Receiver }> {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answerWith(({ event }, response) => {
    const isQuestion = event.type === 'INCOMING_PAYMENT.PENDING'
    response.writeHead(isQuestion ? (answer?.status ?? 200) : 200)
    response.end(isQuestion && answer?.body ? JSON.stringify(answer.body) : '')
  })
  return { ...(await payer(platform, { funded: 0 })), receiver }
}

async function received(
  { platform, customerId }: Paying,
  fields: Parameters<typeof receiveUma>[1] = {},
) {
  return expectStatus(await receiveUma(platform, { customerId, ...fields }), 200)
}

const isDecided = (platform: TestPlatform, { id }: HasId) =>
  eventually(async () => {
    const transaction = await readTransaction(platform, id)
    assert.notEqual(transaction.status, 'PENDING')
    return transaction
  })

test('UMA-11 UMA-10 9.4 without an endpoint the sandbox approves: credited, answered as accepted', async () => {
  const to = await payer(await kit.platform(), { funded: 0 })
  const answer = await received(to, { currency: 'EUR', amount: 9_200, from: 'success.usd' })
  assert.equal(answer.status, 'PENDING')
  assert.equal(answer.type, 'INCOMING')
  assert.deepEqual(answer.source, {
    sourceType: 'UMA_ADDRESS',
    umaAddress: sandboxUma('success.usd'),
    currency: 'USD',
  })
  assert.equal(answer.sentAmount?.amount, 10_000)
  assert.equal(answer.receivedAmount?.amount, 9_200)
  const transaction = await readTransaction(to.platform, answer.id)
  assert.equal(transaction.status, 'COMPLETED')
  assert.ok(transaction.settledAt)
  assert.equal(await balanceOf(to.platform, text(answer.destination?.accountId)), 9_200)
  assert.deepEqual(await eventTypesOf(to.platform, answer.id), [
    'INCOMING_PAYMENT.PENDING',
    'INCOMING_PAYMENT.COMPLETED',
  ])
})

test('section 9.4: the sent amount is rounded up to the sender’s unit, without fees', async () => {
  const to = await payer(await kit.platform(), { funded: 0 })
  const answer = await received(to, { currency: 'MXN', amount: 1, from: 'success.eur' })
  assert.equal(answer.sentAmount?.amount, 1)
  assert.equal(answer.sentAmount.currency.code, 'EUR')
})

/** Section 3: the webhook's answer, and what the payment comes to. */
const ANSWERS = [
  { status: 200, ends: 'COMPLETED', credited: 5_000 },
  { status: 403, ends: 'REJECTED', credited: 0 },
  { status: 422, ends: 'FAILED', reason: 'MISSING_MANDATORY_PAYEE_DATA', credited: 0 },
  { status: 500, ends: 'FAILED', reason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR', credited: 0 },
  { status: 204, ends: 'FAILED', reason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR', credited: 0 },
]

for (const { status, ends, reason, credited } of ANSWERS) {
  test(`UMA-9 section 3: a webhook that answers ${status} makes the payment ${ends}`, async () => {
    const to = await asked({ status })
    const transaction = await isDecided(to.platform, await received(to))
    assert.equal(transaction.status, ends)
    assert.equal(transaction.failureReason, reason)
    assert.equal(await balanceOf(to.platform, to.account), credited)
    const questions = to.receiver.ofType('INCOMING_PAYMENT.PENDING')
    assert.equal(questions.length, 1, 'the question is sent once, and never again')
    const types = await eventTypesOf(to.platform, transaction.id)
    assert.equal(types.at(-1), `INCOMING_PAYMENT.${ends === 'COMPLETED' ? 'COMPLETED' : 'FAILED'}`)
    await eventually(() => assert.ok(to.receiver.types().includes(String(types.at(-1)))))
    expectError(
      await decide(to.platform, transaction, 'approve'),
      409,
      'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
    )
  })
}

test('section 3: an endpoint that cannot be reached is a webhook error', async () => {
  const to = await asked()
  await to.receiver.stop()
  const transaction = await isDecided(to.platform, await received(to))
  assert.equal(transaction.failureReason, 'PAYMENT_APPROVAL_WEBHOOK_ERROR')
})

test('TXN-14 after a 202 the platform approves or rejects by a call, once', async () => {
  const to = await asked({ status: 202 })
  const first = await received(to)
  const approved = expectStatus(await decide(to.platform, first, 'approve'), 200)
  assert.equal(approved.status, 'COMPLETED')
  assert.equal(await balanceOf(to.platform, to.account), 5_000)
  for (const again of ['approve', 'reject'] as const) {
    const answer = await decide(to.platform, first, again)
    expectError(answer, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
  }
  const second = await received(to)
  const rejected = expectStatus(
    await decide(to.platform, second, 'reject', { reason: 'unknown sender' }),
    200,
  )
  assert.equal(rejected.status, 'REJECTED')
  assert.equal(rejected.failureReason, undefined)
  assert.equal(await balanceOf(to.platform, to.account), 5_000)
  await advance(to.platform, 10)
  assert.equal((await readTransaction(to.platform, second.id)).status, 'REJECTED')
})

test('TXN-14 a reason beyond 1000 characters is refused; another platform’s payment is not found', async () => {
  const to = await asked({ status: 202 })
  const payment = await received(to)
  const long = await decide(to.platform, payment, 'reject', { reason: 'x'.repeat(1_001) })
  expectFields(long, ['reason'])
  const stranger = await kit.platform()
  expectError(await decide(stranger, payment, 'approve'), 404, 'TRANSACTION_NOT_FOUND')
})

test('section 3: after a 202 without a decision in five seconds of the platform’s clock it fails', async () => {
  const to = await asked({ status: 202 })
  const payment = await received(to)
  await advance(to.platform, 6)
  const transaction = await readTransaction(to.platform, payment.id)
  assert.equal(transaction.status, 'FAILED')
  assert.equal(transaction.failureReason, 'PAYMENT_APPROVAL_TIMED_OUT')
  const late = await decide(to.platform, payment, 'approve')
  expectError(late, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
  assert.equal(await balanceOf(to.platform, to.account), 0)
})

test('section 9.4: $pending.long is under review for 360 s before the platform is asked', async () => {
  const to = await asked()
  const payment = await received(to, { from: 'pending.long.usd' })
  assert.equal(payment.pendingReason, 'COMPLIANCE_REVIEW')
  const early = await decide(to.platform, payment, 'approve')
  expectError(early, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
  await advance(to.platform, 340)
  assert.equal(to.receiver.ofType('INCOMING_PAYMENT.PENDING').length, 0)
  await advance(to.platform, 21)
  const transaction = await readTransaction(to.platform, payment.id)
  assert.equal(transaction.status, 'COMPLETED')
  assert.equal(transaction.pendingReason, undefined)
  assert.equal(to.receiver.ofType('INCOMING_PAYMENT.PENDING').length, 1)
})

test('section 9.4: $fail.compliance is FAILED at once, and no platform is asked', async () => {
  const to = await asked()
  const payment = await received(to, { from: 'fail.compliance.usd' })
  assert.equal(payment.status, 'FAILED')
  assert.equal(payment.failureReason, 'COMPLIANCE_REJECTED')
  assert.deepEqual(await eventTypesOf(to.platform, payment.id), ['INCOMING_PAYMENT.FAILED'])
})

test('UMA-6 a sender that asks for FULL_NAME gets it, or the payment fails', async () => {
  const emitted = await asked({ status: 200, body: { receiverCustomerInfo: { FULL_NAME: 'Ann' } } })
  const paid = await isDecided(
    emitted.platform,
    await received(emitted, { from: 'needs.payerdata.usd' }),
  )
  assert.equal(paid.status, 'COMPLETED')
  const [question] = emitted.receiver.ofType('INCOMING_PAYMENT.PENDING')
  assert.deepEqual(question?.event.data['requestedReceiverCustomerInfoFields'], [
    { name: 'FULL_NAME', mandatory: true },
  ])

  const silent = await asked({ status: 202 })
  const first = await received(silent, { from: 'needs.payerdata.usd' })
  const blank = { receiverCustomerInfo: { FULL_NAME: '  ' } }
  const failed = expectStatus(await decide(silent.platform, first, 'approve', blank), 200)
  assert.equal(failed.status, 'FAILED')
  assert.equal(failed.failureReason, 'MISSING_MANDATORY_PAYEE_DATA')
  const second = await received(silent, { from: 'needs.payerdata.usd' })
  const receiverCustomerInfo = { FULL_NAME: 'Ann Able' }
  const approved = await decide(silent.platform, second, 'approve', { receiverCustomerInfo })
  assert.equal(expectStatus(approved, 200).status, 'COMPLETED')
})

/** 9.4: the suffix of the default deposit account, and whether the payout reaches it. */
for (const [suffix, isPaid] of [
  ['000', true],
  ['003', true],
  ['005', true],
  ['002', false],
  ['004', false],
  ['006', false],
  ['007', false],
] as const) {
  test(`UMA-10 9.4 a payout to the default deposit account …${suffix} ${isPaid ? 'succeeds' : 'fails'}`, async () => {
    const to = await payer(await kit.platform(), { funded: 0 })
    const more = { defaultUmaDepositAccount: true }
    const account = await payee(to.platform, 'USD_ACCOUNT', {
      suffix,
      customerId: to.customerId,
      more,
    })
    const payment = await received(to)
    assert.equal(payment.destination?.accountId, account)
    const transaction = await readTransaction(to.platform, payment.id)
    assert.equal(transaction.status, isPaid ? 'COMPLETED' : 'FAILED')
    assert.equal(transaction.failureReason, isPaid ? undefined : 'OFFRAMP_FAILED')
    assert.equal(transaction.refund?.status, isPaid ? undefined : 'COMPLETED')
    assert.equal(await balanceOf(to.platform, to.account), 0, 'the internal account is left alone')
    assert.deepEqual(await eventTypesOf(to.platform, payment.id), [
      'INCOMING_PAYMENT.PENDING',
      ...(isPaid
        ? ['INCOMING_PAYMENT.COMPLETED']
        : [
            'INCOMING_PAYMENT.FAILED',
            'INCOMING_PAYMENT.REFUND_PENDING',
            'INCOMING_PAYMENT.REFUND_COMPLETED',
          ]),
    ])
  })
}

test('UMA-10 a payment in another currency than the default deposit account’s is credited here', async () => {
  const to = await payer(await kit.platform(), { funded: 0 })
  const more = { defaultUmaDepositAccount: true }
  await payee(to.platform, 'EUR_ACCOUNT', { customerId: to.customerId, more })
  await received(to)
  assert.equal(await balanceOf(to.platform, to.account), 5_000)
})

test('section 9.4: the receiver is named by address, by customer, or by both alike', async () => {
  const to = await payer(await kit.platform(), { funded: 0 })
  const { platform, customerId } = to
  const receiverUmaAddress = await umaAddressOf(platform, customerId)
  expectStatus(await receiveUma(platform, { receiverUmaAddress }), 200)
  expectStatus(await receiveUma(platform, { receiverUmaAddress, customerId }), 200)
  assert.equal(await balanceOf(platform, to.account), 10_000)
  const other = await payer(platform, { funded: 0 })
  const both = await receiveUma(platform, { receiverUmaAddress, customerId: other.customerId })
  expectFields(both, ['customerId'])
  expectFields(await receiveUma(platform, {}), ['receiverUmaAddress'])
  // CORE-30, CORE-32: with whatever else is wrong, and before anybody is looked for.
  expectFields(await receiveUma(platform, { from: 'nobody', amount: 0 }), [
    'receiverUmaAddress',
    'receivingCurrencyAmount',
  ])
})

test('section 9.4: an unknown sender, receiver or currency is refused', async () => {
  const to = await payer(await kit.platform(), { funded: 0 })
  const { platform, customerId } = to
  const stranger = await kit.platform()
  const from = async (fields: Parameters<typeof receiveUma>[1]) =>
    receiveUma(platform, { customerId, ...fields })
  expectError(await from({ from: 'nobody' }), 404, 'UMA_NOT_FOUND')
  expectError(await from({ from: 'fail.version.usd' }), 404, 'UMA_NOT_FOUND')
  expectError(await from({ from: '$bob' }), 400, 'INVALID_UMA_ADDRESS')
  expectError(await from({ currency: 'GBP' }), 400, 'INVALID_CURRENCY')
  expectError(await receiveUma(stranger, { customerId }), 404, 'USER_NOT_FOUND')
  const receiverUmaAddress = await umaAddressOf(platform, customerId)
  expectError(await receiveUma(stranger, { receiverUmaAddress }), 404, 'UMA_NOT_FOUND')
  expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
  expectError(await from({}), 404, 'USER_NOT_FOUND')
  expectError(await receiveUma(platform, { receiverUmaAddress }), 404, 'UMA_NOT_FOUND')
})

test('CUST-63 a payment to a customer that was deleted meanwhile is not credited', async () => {
  const to = await asked({ status: 202 })
  const payment = await received(to)
  expectStatus(await to.platform.api.delete(`/customers/${to.customerId}`), 200)
  const decided = expectStatus(await decide(to.platform, payment, 'approve'), 200)
  assert.equal(decided.status, 'FAILED')
  assert.equal(decided.failureReason, 'QUOTE_EXECUTION_FAILED')
})

test('QUOTE-17 an endpoint that hangs holds the answer up for two seconds, and fails the payment after five', async () => {
  const to = await asked()
  to.receiver.answerWith(({ event }, response) => {
    if (event.type !== 'INCOMING_PAYMENT.PENDING') response.writeHead(200).end()
  })
  const startedAt = performance.now()
  const payment = await received(to)
  assert.ok(performance.now() - startedAt < 4_500)
  assert.equal((await readTransaction(to.platform, payment.id)).status, 'PENDING')
  const transaction = await isDecided(to.platform, payment)
  assert.equal(transaction.failureReason, 'PAYMENT_APPROVAL_TIMED_OUT')
})

test('section 9.4: RATE-5 the amount to be sent has the limits of an amount, too', async () => {
  const { platform, customerId } = await payer(await kit.platform(), { funded: 0 })
  const largest = { customerId, amount: 9_000_000_000_000_000 }
  const answer = await receiveUma(platform, { ...largest, from: 'success.mxn' })
  const details = expectError(answer, 400, 'AMOUNT_OUT_OF_RANGE')
  const maximum = 521_739_130_434_782
  assert.deepEqual(details, { maximum, currency: 'USD' })
  const most = { ...largest, amount: maximum, from: 'success.mxn' }
  expectStatus(await receiveUma(platform, most), 200)
})
