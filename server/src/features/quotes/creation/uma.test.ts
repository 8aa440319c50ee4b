import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus } from '../../../../test/kit/api.ts'
import { advance, connect, openReceiver } from '../../../../test/kit/outside/connect-receiver.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  execute,
  fund,
  payee,
  payer,
  platformAccount,
  readQuote,
  readTransaction,
  type Paying,
} from '../../../../test/kit/payments.ts'
import { decide, quoteUma, sandboxUma, umaAddressOf } from '../../../../test/kit/uma.ts'

const kit = await startKit()

test('UMA-4 UMA-5 QUOTE-10 a quote to an address is priced in the receiver’s currency and executes', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const quoted = expectStatus(await quoteUma(platform, { from, to: 'success.eur' }), 201)
  assert.equal(quoted.totalSendingAmount, 10_000)
  assert.equal(quoted.totalReceivingAmount, 9_154)
  assert.equal(quoted.feesIncluded, 50)
  assert.deepEqual(quoted.destination, {
    destinationType: 'UMA_ADDRESS',
    umaAddress: sandboxUma('success.eur'),
  })
  const executed = expectStatus(await execute(platform, quoted), 200)
  assert.equal(executed.status, 'PROCESSING')
  assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
  const transaction = await readTransaction(platform, quoted.transactionId)
  assert.equal(transaction.status, 'COMPLETED')
  assert.equal(transaction.destination?.umaAddress, sandboxUma('success.eur'))
  assert.equal(transaction.paymentRail, undefined, 'TXN-17')
  assert.equal(await balanceOf(platform, from), 90_000)
  assert.deepEqual(await eventTypesOf(platform, quoted.transactionId), [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PROCESSING',
    'OUTGOING_PAYMENT.COMPLETED',
  ])
})

test('QUOTE-16 a quote to an address is created and executed in one step', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const immediately = { from, to: 'success.usd', immediatelyExecute: true }
  const quoted = expectStatus(await quoteUma(platform, immediately), 201)
  assert.equal(quoted.status, 'PROCESSING')
  assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
})

test('section 9.4: $fail.compliance fails at execution and is refunded', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const quoted = expectStatus(await quoteUma(platform, { from, to: 'fail.compliance.usd' }), 201)
  expectStatus(await execute(platform, quoted), 200)
  const transaction = await readTransaction(platform, quoted.transactionId)
  assert.equal(transaction.status, 'FAILED')
  assert.equal(transaction.failureReason, 'COMPLIANCE_REJECTED')
  assert.equal(transaction.refund?.status, 'COMPLETED')
  assert.equal(await balanceOf(platform, from), 100_000)
})

test('section 9.4: $pending.long is PROCESSING for 360 s; TXN-15 a UMA payment cannot be cancelled', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const quoted = expectStatus(await quoteUma(platform, { from, to: 'pending.long.usd' }), 201)
  expectStatus(await execute(platform, quoted), 200)
  const path = `/transactions/${quoted.transactionId}/cancel` as const
  expectError(await platform.api.post(path), 400, 'INVALID_INPUT')
  await advance(platform, 340)
  assert.equal((await readQuote(platform, quoted)).status, 'PROCESSING')
  await advance(platform, 21)
  assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
})

test('UMA-8 9.4 a pay request that is refused refuses the quote', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const to = (local: string) => quoteUma(platform, { from, to: local })
  expectError(await to('fail.payreq.usd'), 424, 'PAYREQ_REQUEST_FAILED')
  expectError(await to('fail.sender.usd'), 400, 'SENDER_NOT_ACCEPTED')
})

test('UMA-5 another currency than the receiver takes, and amounts beyond its limits, are refused', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const to = 'success.eur'
  expectStatus(await quoteUma(platform, { from, to, currency: 'EUR' }), 201)
  const wrong = await quoteUma(platform, { from, to, currency: 'USD' })
  expectError(wrong, 400, 'INVALID_CURRENCY')
  const receiving = { from, to, side: 'RECEIVING' } as const
  const most = 92_000_000
  const exact = await quoteUma(platform, { ...receiving, amount: most - 10_000_000 })
  expectStatus(exact, 201)
  const beyond = await quoteUma(platform, { ...receiving, amount: most + 1 })
  assert.equal(beyond.status, 400)
  const receiver = await payer(await kit.platform({ currencies: ['USD'] }), { funded: 0 })
  await receiver.platform.api.patch('/config', {
    supportedCurrencies: [
      {
        currencyCode: 'USD',
        minAmount: 500,
        maxAmount: 2_000,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
      },
    ],
  })
  const address = await umaAddressOf(receiver.platform, receiver.customerId)
  const paid = (amount: number) => quoteUma(platform, { from, to: address, amount })
  for (const amount of [500, 2_000]) expectStatus(await paid(amount), 201)
  for (const amount of [499, 2_001]) {
    const details = expectError(await paid(amount), 400, 'AMOUNT_OUT_OF_RANGE')
    assert.deepEqual(details, { minimum: 500, maximum: 2_000, currency: 'USD' })
  }
})

test('UMA-6 QUOTE-16 mandatory payer fields come from the record, then from the request', async () => {
  const platform = await kit.platform()
  const customerId = (await createCustomer(platform, { fullName: undefined })).id
  const from = await customerAccount(platform, customerId, 'USD')
  await fund(platform, from, 50_000)
  const to = 'needs.payerdata.usd'
  const bare = expectError(
    await quoteUma(platform, { from, to }),
    400,
    'MISSING_MANDATORY_USER_INFO',
  )
  assert.deepEqual(bare['missingFields'], ['FULL_NAME', 'BIRTH_DATE'])
  const half = { senderCustomerInfo: { FULL_NAME: 'Ann Able' } }
  const lacking = expectError(
    await quoteUma(platform, { from, to, ...half }),
    400,
    'MISSING_MANDATORY_USER_INFO',
  )
  assert.deepEqual(lacking['missingFields'], ['BIRTH_DATE'])
  const immediately = await quoteUma(platform, { from, to, ...half, immediatelyExecute: true })
  expectFields(immediately, ['immediatelyExecute'])
  assert.match(immediately.text, /the receiver asks for BIRTH_DATE of the sender/)
  const senderCustomerInfo = { FULL_NAME: 'Ann Able', BIRTH_DATE: '1990-01-02' }
  expectStatus(await quoteUma(platform, { from, to, senderCustomerInfo }), 201)
  const now = { senderCustomerInfo, immediatelyExecute: true }
  expectStatus(await quoteUma(platform, { from, to, ...now }), 201)
})

test('UMA-6 a payer field that says nothing is missing', async () => {
  const platform = await kit.platform()
  const customerId = (await createCustomer(platform, { fullName: undefined })).id
  const from = await customerAccount(platform, customerId, 'USD')
  for (const FULL_NAME of ['', '  ', null, {}, [], true]) {
    const senderCustomerInfo = { FULL_NAME, BIRTH_DATE: '1990-01-02' }
    const asked = { from, to: 'needs.payerdata.usd', senderCustomerInfo }
    const refused = expectError(await quoteUma(platform, asked), 400, 'MISSING_MANDATORY_USER_INFO')
    assert.deepEqual(refused['missingFields'], ['FULL_NAME'])
  }
})

test('UMA-7 the sender’s own address is a payment to itself', async () => {
  const { platform, account: from, customerId } = await payer(await kit.platform())
  const to = await umaAddressOf(platform, customerId)
  expectError(await quoteUma(platform, { from, to }), 400, 'SELF_PAYMENT')
})

test('QUOTE-1 a malformed address is refused, and a foreign source is not found', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  expectError(await quoteUma(platform, { from, to: '$bob' }), 400, 'INVALID_UMA_ADDRESS')
  const stranger = await payer(await kit.platform())
  const to = 'success.usd'
  const foreign = await quoteUma(platform, { from: stranger.account, to })
  expectError(foreign, 404, 'REFERENCE_NOT_FOUND')
})

test('QUOTE-3 a pulled payment is handed over once the pull succeeded', async () => {
  const platform = await kit.platform()
  const pulled = async (suffix: string) => {
    const from = await payee(platform, 'USD_ACCOUNT', { suffix })
    const quoted = expectStatus(await quoteUma(platform, { from, to: 'success.usd' }), 201)
    expectStatus(await execute(platform, quoted), 200)
    return readTransaction(platform, quoted.transactionId)
  }
  assert.equal((await pulled('000')).status, 'COMPLETED')
  assert.equal((await pulled('002')).status, 'FAILED')
})

test('QUOTE-19 just-in-time funds are paid on to an address', async () => {
  const platform = await kit.platform()
  const answer = await platform.api.post('/quotes', {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: sandboxUma('success.usd') },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 700,
  })
  const quoted = expectStatus(answer, 201)
  const funds = { quoteId: quoted.id, currencyCode: 'USD' }
  expectStatus(await platform.api.post('/sandbox/send', funds), 200)
  assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
})

test('TXN-9 transactions are listed by the addresses on either side', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const quoted = expectStatus(await quoteUma(platform, { from, to: 'success.eur' }), 201)
  const query = { receiverAccountIdentifier: '$SUCCESS.eur@sandbox.uma.test' }
  const listed = expectStatus(await platform.api.get('/transactions', { query }), 200)
  assert.equal(listed.totalCount, 1)
  assert.equal((listed.data as unknown as { id: string }[])[0]?.id, quoted.transactionId)
})

test('CORE-40 under a key a quote to an address has one answer, a refusal too', async () => {
  const { platform, account: from } = await payer(await kit.platform())
  const ask = (to: string, key: string) =>
    platform.api.post(
      '/quotes',
      {
        source: { sourceType: 'ACCOUNT', accountId: from },
        destination: { destinationType: 'UMA_ADDRESS', umaAddress: to },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 500,
      },
      { headers: { 'Idempotency-Key': key } },
    )
  const known = sandboxUma('success.usd')
  const first = expectStatus(await ask(known, 'known'), 201)
  assert.deepEqual(expectStatus(await ask(known, 'known'), 201), first)
  const stranger = await payer(await kit.platform(), { funded: 0 })
  const [, domain = ''] = (await umaAddressOf(stranger.platform, stranger.customerId)).split('@')
  const late = `$late@${domain}`
  expectError(await ask(late, 'late'), 404, 'UMA_NOT_FOUND')
  await createCustomer(stranger.platform, { umaAddress: late })
  expectError(await ask(late, 'late'), 404, 'UMA_NOT_FOUND')
  expectStatus(await ask(late, 'another'), 201)
})

type Pair = Readonly<{ sender: Paying; receiver: Paying; to: string }>

async function pair(receiving?: TestPlatform): Promise<Pair> {
  const sender = await payer(await kit.platform())
  const receiver = await payer(receiving ?? (await kit.platform()), { funded: 0 })
  return { sender, receiver, to: await umaAddressOf(receiver.platform, receiver.customerId) }
}

async function paid({ sender, to }: Pair, more: Record<string, unknown> = {}) {
  const fields = { from: sender.account, to, amount: 10_000, ...more }
  const quoted = expectStatus(await quoteUma(sender.platform, fields), 201)
  expectStatus(await execute(sender.platform, quoted), 200)
  return quoted.transactionId
}

async function incomingOf({ receiver }: Pair): Promise<string> {
  return eventually(async () => {
    const query = { customerId: receiver.customerId, type: 'INCOMING' }
    const listed = expectStatus(await receiver.platform.api.get('/transactions', { query }), 200)
    const [first] = listed.data as unknown as { id: string }[]
    assert.ok(first)
    return first.id
  })
}

const ends = (platform: TestPlatform, id: string, status: string) =>
  eventually(async () => {
    const transaction = await readTransaction(platform, id)
    assert.equal(transaction.status, status)
    return transaction
  })

test('UMA-9 between two platforms: the receiver’s approval completes both, amounts agree', async () => {
  const two = await pair()
  const id = await paid(two, { currency: 'EUR', description: 'rent' })
  const outgoing = await ends(two.sender.platform, id, 'COMPLETED')
  const incoming = await ends(two.receiver.platform, await incomingOf(two), 'COMPLETED')
  assert.deepEqual(incoming.receivedAmount, outgoing.receivedAmount)
  assert.deepEqual(incoming.sentAmount, outgoing.sentAmount)
  assert.equal(incoming.description, 'rent')
  const sender = await umaAddressOf(two.sender.platform, two.sender.customerId)
  assert.equal(incoming.source?.umaAddress, sender)
  const euros = await customerAccount(two.receiver.platform, two.receiver.customerId, 'EUR')
  assert.equal(await balanceOf(two.receiver.platform, euros), 9_154)
  assert.equal(await balanceOf(two.sender.platform, two.sender.account), 90_000)
})

for (const [answer, status] of [
  [403, 'REJECTED'],
  [500, 'FAILED'],
] as const) {
  test(`UMA-9 a receiver’s platform that answers ${answer} refunds the sender`, async () => {
    const platform = await kit.platform()
    const hook = await openReceiver()
    await connect(platform, hook)
    hook.answerWith(({ event }, response) => {
      response.writeHead(event.type === 'INCOMING_PAYMENT.PENDING' ? answer : 200).end()
    })
    const two = await pair(platform)
    const id = await paid(two)
    const outgoing = await ends(two.sender.platform, id, 'FAILED')
    assert.equal(outgoing.failureReason, 'COUNTERPARTY_POST_TX_FAILED')
    assert.equal(outgoing.refund?.status, 'COMPLETED')
    assert.equal(await balanceOf(two.sender.platform, two.sender.account), 100_000)
    await ends(two.receiver.platform, await incomingOf(two), status)
    assert.equal(await balanceOf(two.receiver.platform, two.receiver.account), 0)
  })
}

test('UMA-9 no decision in time fails both, by the receiver’s clock', async () => {
  const platform = await kit.platform()
  const hook = await openReceiver()
  await connect(platform, hook)
  hook.answer(202)
  const two = await pair(platform)
  const id = await paid(two)
  const incoming = await incomingOf(two)
  await eventually(() => assert.equal(hook.ofType('INCOMING_PAYMENT.PENDING').length, 1))
  await advance(platform, 6)
  const failed = await ends(platform, incoming, 'FAILED')
  assert.equal(failed.failureReason, 'PAYMENT_APPROVAL_TIMED_OUT')
  await ends(two.sender.platform, id, 'FAILED')
  assert.equal(await balanceOf(two.sender.platform, two.sender.account), 100_000)
})

test('UMA-9 UMA-6 within one platform, with what each side asks to know of the other', async () => {
  const platform = await kit.platform()
  const asks = (name: string) => [
    {
      currencyCode: 'USD',
      minAmount: 1,
      maxAmount: 9_000_000_000_000_000,
      requiredCounterpartyFields: [{ name, mandatory: true }],
      enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
    },
  ]
  const supportedCurrencies = asks('FULL_NAME')
  expectStatus(await platform.api.patch('/config', { supportedCurrencies }), 200)
  const hook = await openReceiver()
  await connect(platform, hook)
  hook.answer(202)
  const sender = await payer(platform)
  const receiver = await payer(platform, { funded: 0 })
  const to = await umaAddressOf(platform, receiver.customerId)
  const two = { sender, receiver, to }
  const id = await paid(two, { senderCustomerInfo: { FULL_NAME: 'Ann Able' } })
  const incoming = await readTransaction(platform, await incomingOf(two))
  assert.ok(incoming.counterpartyInformation?.['FULL_NAME'], 'the receiver learns who pays')
  const receiverCustomerInfo = { FULL_NAME: 'Bob Baker' }
  expectStatus(await decide(platform, incoming, 'approve', { receiverCustomerInfo }), 200)
  assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  assert.equal(await balanceOf(platform, receiver.account), 10_000)
})

test('UMA-9 FEE-5 a platform fee is earned when the receiver approves; UMA-10 L13 a payout outside', async () => {
  const platform = await kit.platform()
  const fee = {
    feeType: 'CROSS_CURRENCY_TRANSACTION',
    sourceCurrency: 'USD',
    variableFeeBps: 100,
    fixedFee: { amount: 0, currency: 'USD' },
  }
  expectStatus(await platform.api.patch('/config', { feeConfigs: [fee] }), 200)
  const sender = await payer(platform)
  const receiver = await payer(await kit.platform(), { funded: 0 })
  const more = { defaultUmaDepositAccount: true }
  const { customerId } = receiver
  const outside = await payee(receiver.platform, 'EUR_ACCOUNT', { customerId, more })
  const to = await umaAddressOf(receiver.platform, customerId)
  const two = { sender, receiver, to }
  const id = await paid(two, { currency: 'EUR' })
  await ends(platform, id, 'COMPLETED')
  const incoming = await ends(receiver.platform, await incomingOf(two), 'COMPLETED')
  assert.equal(incoming.destination?.accountId, outside)
  assert.equal(await balanceOf(platform, await platformAccount(platform, 'USD')), 100)
})

test('UMA-9 the platform itself pays an address', async () => {
  const platform = await kit.platform()
  const from = await platformAccount(platform, 'USD')
  await fund(platform, from, 5_000)
  const receiver = await payer(await kit.platform(), { funded: 0 })
  const to = await umaAddressOf(receiver.platform, receiver.customerId)
  const quoted = expectStatus(await quoteUma(platform, { from, to, amount: 5_000 }), 201)
  expectStatus(await execute(platform, quoted), 200)
  await ends(platform, quoted.transactionId, 'COMPLETED')
  assert.equal(await balanceOf(receiver.platform, receiver.account), 5_000)
})
