import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLedger } from '../../src/ledger/reports/check-ledger.ts'
import { createPlatform } from '../../src/operator/create-platform.ts'
import { client, text } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import type { TestPlatform } from '../kit/florin.ts'
import {
  balanceOf,
  fund,
  payee,
  platformAccount,
  quoteBody,
  readTransaction,
} from '../kit/payments.ts'
import { openProcessKit } from '../kit/processes/process-kit.ts'
import type { ServerProcess } from '../kit/processes/server-process.ts'

const { operator, start } = await openProcessKit()

const ROUNDS = 2
const PAYMENTS = 60
const AMOUNT = 100

/** A connection that died is no answer; the caller tries again under the same key, as any client should. */
const pay = (
  { api }: TestPlatform,
  { from, to, key }: Readonly<{ from: string; to: string; key: string }>,
) =>
  api
    .post('/quotes', quoteBody({ from, to, amount: AMOUNT, immediatelyExecute: true }), {
      headers: { 'idempotency-key': key },
    })
    .catch(() => undefined)

test('CORE-43 LEDG-6 payments of a service that is killed are made once, and refunds are finished by the next', async () => {
  const credentials = await createPlatform(operator.deps, {
    name: 'Crash',
    kind: 'REGULATED',
    environment: 'SANDBOX',
    currencies: ['USD'],
  })
  const on = ({ baseUrl }: ServerProcess): TestPlatform => ({
    ...credentials,
    api: client(baseUrl, credentials),
  })
  let server = await start()
  const from = await platformAccount(on(server), 'USD')
  await fund(on(server), from, 1_000_000)
  // A third of them is delivered, the rest fails after the debit and has to be given back by a job.
  const payees = [
    await payee(on(server), 'EUR_ACCOUNT'),
    await payee(on(server), 'EUR_ACCOUNT', { suffix: '002' }),
    await payee(on(server), 'EUR_ACCOUNT', { suffix: '004' }),
  ]
  const orders = Array.from({ length: PAYMENTS }, (_, n) => ({
    from,
    to: payees[n % payees.length] as string,
    key: `payment-${n}`,
  }))
  let answered = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const platform = on(server)
    const requests = orders.map(async (order) => {
      const answer = await pay(platform, order)
      if (answer?.status === 201) answered += 1
    })
    await eventually(() => assert.ok(answered > round * 10), 20_000)
    await server.end('SIGKILL')
    await Promise.all(requests)
    assert.deepEqual((await checkLedger(operator.deps.db)).problems, [])
    server = await start()
  }
  const platform = on(server)
  const made = new Set<string>()
  for (const order of orders) {
    const answer = await eventually(async () => {
      const again = await pay(platform, order)
      assert.equal(again?.status, 201)
      return again
    })
    made.add(text(answer.body.transactionId))
  }
  assert.equal(made.size, PAYMENTS)
  await eventually(async () => {
    const outcomes = await Promise.all([...made].map((id) => readTransaction(platform, id)))
    const count = (status: string): number => outcomes.filter((one) => one.status === status).length
    assert.deepEqual([count('COMPLETED'), count('FAILED')], [PAYMENTS / 3, (PAYMENTS / 3) * 2])
    for (const { refund } of outcomes.filter((one) => one.status === 'FAILED')) {
      assert.equal(refund?.status, 'COMPLETED')
    }
  }, 20_000)
  assert.equal(await balanceOf(platform, from), 1_000_000 - (PAYMENTS / 3) * AMOUNT)
  await server.end('SIGTERM')
  assert.deepEqual((await checkLedger(operator.deps.db)).problems, [])
})
