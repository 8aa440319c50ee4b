import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../kit/api.ts'
import { advance } from '../kit/outside/connect-receiver.ts'
import { startKit } from '../kit/florin.ts'
import { customerAccount, execute, fund, payee, quote } from '../kit/payments.ts'
import { END_USER, logIn, newScaCustomer, RIGHT } from '../kit/sca/sca.ts'

const kit = await startKit()
const ROUNDS = 12
const AMOUNT = 1000

test('IACC-7 whenever anybody looks, 0 ≤ balance ≤ totalBalance, while money is held, paid and given back', async () => {
  const platform = await kit.platform()
  const { api } = platform
  const sca = await newScaCustomer(platform)
  const { customerId } = sca
  const from = await customerAccount(platform, customerId, 'USD')
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
  await logIn(sca)
  const seen: (readonly [balance: number, total: number])[] = []
  const look = async (): Promise<void> => {
    const query = { customerId, currency: 'USD' }
    const answer = await api.get('/customers/internal-accounts', { query })
    const [account] = expectStatus(answer, 200).data
    assert.ok(account)
    seen.push([account.balance.amount, account.totalBalance.amount])
  }
  let isOver = false
  const watching = (async () => {
    while (!isOver) await look()
  })()
  for (let round = 0; round < ROUNDS; round += 1) {
    await fund(platform, from, AMOUNT)
    const quoted = expectStatus(await quote(platform, { from, to, amount: AMOUNT }), 201)
    // Of two racing executions one holds the money.
    await Promise.all([execute(platform, quoted), execute(platform, quoted), look()])
    await look()
    const proof = { endUserIpAddress: END_USER, code: RIGHT }
    const isProven = round % 3 > 0
    if (isProven) expectStatus(await api.post(`/quotes/${quoted.id}/authorize`, proof), 200)
    else await advance(platform, 300)
  }
  isOver = true
  await watching
  await look()
  for (const [balance, total] of seen) {
    assert.ok(balance >= 0 && balance <= total, `${balance} of ${total}`)
  }
  assert.ok(
    seen.some(([balance, total]) => balance < total),
    'money was seen while it was held',
  )
  const givenBack = (ROUNDS / 3) * AMOUNT
  assert.deepEqual(seen.at(-1), [givenBack, givenBack])
})
