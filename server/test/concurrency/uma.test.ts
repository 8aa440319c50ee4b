import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../kit/api.ts'
import { advance, connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { eventually } from '../kit/eventually.ts'
import { MANY_CONNECTIONS, startOwnKit } from '../kit/florin.ts'
import { balanceOf, eventTypesOf, execute, payer, readTransaction } from '../kit/payments.ts'
import { decide, quoteUma, receiveUma, umaAddressOf } from '../kit/uma.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)
const ROUNDS = 8
const AMOUNT = 100

/** A platform whose endpoint leaves every decision for later. */
async function undecided() {
  const platform = await kit.platform()
  const hook = await openReceiver()
  await connect(platform, hook)
  hook.answerWith(({ event }, response) => {
    response.writeHead(event.type === 'INCOMING_PAYMENT.PENDING' ? 202 : 200).end()
  })
  return { ...(await payer(platform, { funded: 0 })), hook }
}

const ENDED = new Set(['INCOMING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.FAILED'])

test('TXN-14 of racing approves, rejects and a timeout exactly one decides each payment', async () => {
  const { platform, customerId, account } = await undecided()
  const arrive = async () =>
    expectStatus(await receiveUma(platform, { customerId, amount: AMOUNT }), 200)
  const payments = await Promise.all(Array.from({ length: ROUNDS }, arrive))
  const calls = payments.flatMap((payment) =>
    (['approve', 'reject', 'approve', 'reject'] as const).map(async (decision) => {
      const { status } = await decide(platform, payment, decision)
      return { id: payment.id, status }
    }),
  )
  const [answers] = await Promise.all([Promise.all(calls), advance(platform, 6)])
  let completed = 0
  for (const payment of payments) {
    const id = payment.id
    const statuses = answers.filter((answer) => answer.id === id).map(({ status }) => status)
    const { status } = await readTransaction(platform, id)
    const decided = statuses.filter((one) => one === 200).length
    assert.ok(decided <= 1, 'no two calls decide')
    assert.ok(statuses.every((one) => one === 200 || one === 409))
    assert.equal(status === 'FAILED', decided === 0, 'who decides is not overruled')
    const types = await eventTypesOf(platform, id)
    assert.equal(types.filter((type) => ENDED.has(type)).length, 1)
    if (status === 'COMPLETED') completed += 1
  }
  assert.equal(await balanceOf(platform, account), completed * AMOUNT)
})

test('TXN-14 the webhook’s answer against a call: one decides', async () => {
  const platform = await kit.platform()
  const hook = await openReceiver()
  await connect(platform, hook)
  const { customerId, account } = await payer(platform, { funded: 0 })
  const answers: number[] = []
  // The call is made while the question waits for its answer, and both arrive together.
  hook.answerWith(({ event }, response) => {
    if (event.type !== 'INCOMING_PAYMENT.PENDING') return void response.writeHead(200).end()
    void decide(platform, { id: String(event.data['id']) }, 'reject').then((answer) =>
      answers.push(answer.status),
    )
    setImmediate(() => response.writeHead(200).end())
  })
  let completed = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const answer = await receiveUma(platform, { customerId, amount: AMOUNT })
    const { id } = expectStatus(answer, 200)
    const { status } = await eventually(async () => {
      const transaction = await readTransaction(platform, id)
      assert.notEqual(transaction.status, 'PENDING')
      assert.equal(answers.length, round + 1)
      return transaction
    })
    assert.equal(answers.at(-1), status === 'REJECTED' ? 200 : 409)
    if (status === 'COMPLETED') completed += 1
  }
  assert.equal(await balanceOf(platform, account), completed * AMOUNT)
})

test('UMA-9 LEDG-4 payments there and back at once end without a deadlock, and no unit is lost', async () => {
  const one = await payer(await kit.platform())
  const other = await payer(await kit.platform())
  const ways = [
    { from: one, to: await umaAddressOf(other.platform, other.customerId) },
    { from: other, to: await umaAddressOf(one.platform, one.customerId) },
  ]
  const pay = async ({ from, to }: (typeof ways)[number]): Promise<void> => {
    const fields = { from: from.account, to, amount: AMOUNT }
    const quoted = expectStatus(await quoteUma(from.platform, fields), 201)
    expectStatus(await execute(from.platform, quoted), 200)
  }
  const before = kit.florin.deps.db.retries()
  await Promise.all(Array.from({ length: ROUNDS }, () => ways.map(pay)).flat())
  await eventually(async () => {
    for (const { platform } of [one, other]) {
      const listed = expectStatus(await platform.api.get('/transactions'), 200)
      const open = listed.data.filter(({ status }) => ['PENDING', 'PROCESSING'].includes(status))
      assert.equal(open.length, 0)
    }
  })
  for (const { platform, account } of [one, other]) {
    assert.equal(await balanceOf(platform, account), 100_000)
  }
  assert.equal(kit.florin.deps.db.retries(), before, 'no transaction was retried')
})
