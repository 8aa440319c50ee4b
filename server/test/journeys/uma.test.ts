/** Chapter 31, section 12: scenarios 13, 14 and 20 as a client walks them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, type HasId } from '../kit/api.ts'
import { advance, connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit, type TestPlatform } from '../kit/florin.ts'
import { balanceOf, execute, payer, readQuote, readTransaction } from '../kit/payments.ts'
import { decide, lookUpUma, quoteUma, receiveUma, sandboxUma, umaAddressOf } from '../kit/uma.ts'

const kit = await startKit()

test('scenario 13: look up, quote, pay; nobody, a malformed address, and a compliance failure', async () => {
  const { platform, customerId, account: u } = await payer(await kit.platform())
  const found = expectStatus(
    await lookUpUma(platform, sandboxUma('success.eur'), { customerId }),
    200,
  )
  const [currency] = found.supportedCurrencies
  assert.equal(currency?.currency.code, 'EUR')
  assert.equal(currency.estimatedExchangeRate, 0.92)
  const { lookupId } = found
  const quoted = expectStatus(
    await quoteUma(platform, { from: u, to: 'success.eur', lookupId }),
    201,
  )
  expectStatus(await execute(platform, quoted), 200)
  assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
  assert.equal(await balanceOf(platform, u), 90_000)

  expectError(await lookUpUma(platform, sandboxUma('nobody')), 404, 'UMA_NOT_FOUND')
  expectError(await lookUpUma(platform, 'bob'), 400, 'INVALID_UMA_ADDRESS')

  const refused = expectStatus(
    await quoteUma(platform, { from: u, to: 'fail.compliance.usd' }),
    201,
  )
  expectStatus(await execute(platform, refused), 200)
  const transaction = await readTransaction(platform, refused.transactionId)
  assert.equal(transaction.failureReason, 'COMPLIANCE_REJECTED')
  assert.equal(await balanceOf(platform, u), 90_000)
})

/** The endpoint of a platform that answers the next questions as told. */
async function answering(platform: TestPlatform) {
  const hook = await openReceiver()
  await connect(platform, hook)
  let status = 200
  hook.answerWith(({ event }, response) => {
    response.writeHead(event.type === 'INCOMING_PAYMENT.PENDING' ? status : 200).end()
  })
  return { answer: (next: number) => void (status = next) }
}

test('scenario 14: an incoming payment is approved, rejected, approved later, and left to time out', async () => {
  const { platform, customerId, account: u } = await payer(await kit.platform())
  const hook = await answering(platform)
  const arrive = async (status: number) => {
    hook.answer(status)
    return expectStatus(await receiveUma(platform, { customerId, amount: 5_000 }), 200)
  }
  const becomes = (payment: HasId, status: string) =>
    eventually(async () => {
      const transaction = await readTransaction(platform, payment.id)
      assert.equal(transaction.status, status)
      return transaction
    })

  await becomes(await arrive(200), 'COMPLETED')
  assert.equal(await balanceOf(platform, u), 105_000)
  await becomes(await arrive(403), 'REJECTED')
  const later = await arrive(202)
  assert.equal(expectStatus(await decide(platform, later, 'approve'), 200).status, 'COMPLETED')
  assert.equal(await balanceOf(platform, u), 110_000)
  const forgotten = await arrive(202)
  await advance(platform, 6)
  const failed = await becomes(forgotten, 'FAILED')
  assert.equal(failed.failureReason, 'PAYMENT_APPROVAL_TIMED_OUT')
  const late = await decide(platform, forgotten, 'approve')
  expectError(late, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
  assert.equal(await balanceOf(platform, u), 110_000)
})

test('scenario 20: two platforms with domains of their own pay each other’s customers', async () => {
  const a = await payer(await kit.platform({ name: 'A' }))
  const receiving = await kit.platform({ name: 'B' })
  const umaDomain = 'b.example'
  expectStatus(await receiving.api.patch('/config', { umaDomain }), 200)
  const hook = await answering(receiving)
  const b = await payer(receiving, { funded: 0 })
  const to = await umaAddressOf(b.platform, b.customerId)
  assert.match(to, /@b\.example$/)
  const pay = async (): Promise<string> => {
    const quoted = expectStatus(await quoteUma(a.platform, { from: a.account, to }), 201)
    expectStatus(await execute(a.platform, quoted), 200)
    return quoted.transactionId
  }
  const ends = (id: string, status: string) =>
    eventually(async () => {
      const transaction = await readTransaction(a.platform, id)
      assert.equal(transaction.status, status)
      return transaction
    })

  const sent = await ends(await pay(), 'COMPLETED')
  const listed = expectStatus(
    await b.platform.api.get('/transactions', { query: { type: 'INCOMING' } }),
    200,
  )
  const [received] = listed.data
  assert.equal(received?.status, 'COMPLETED')
  assert.deepEqual(received.receivedAmount, sent.receivedAmount)
  assert.equal(await balanceOf(b.platform, b.account), 10_000)

  hook.answer(403)
  const refused = await ends(await pay(), 'FAILED')
  assert.equal(refused.refund?.status, 'COMPLETED')
  assert.equal(await balanceOf(a.platform, a.account), 90_000)
  assert.equal(await balanceOf(b.platform, b.account), 10_000)
})
