/** An agent's own client: connected by a code, bound by its policy. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { startKit } from '../../server/test/kit/florin.ts'
import { connectAgent, createAgent, createFlorin, FlorinError } from '../src/index.ts'

const kit = await startKit()
const { baseUrl } = kit
const florin = createFlorin({ baseUrl, ...(await kit.platform()) })
const customer = await florin.customers.create({ customerType: 'INDIVIDUAL' })
const created = await florin.agents.create({
  name: 'Payroll assistant',
  customerId: customer.id,
  policy: {
    permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'MANAGE_EXTERNAL_ACCOUNTS'],
    defaultExecutionMode: 'AUTO',
    spendingLimits: { currency: 'USD', perTransactionLimit: 40_000 },
    approvalThresholds: { currency: 'USD', amount: 20_000, newPayeeHours: 0 },
  },
})
const deviceCode = created.deviceCode.code

test('a device code connects an agent, once', async () => {
  const agent = await connectAgent({ baseUrl, deviceCode })
  assert.match(agent.accessToken, /^agt_/)
  assert.doesNotMatch(inspect(agent) + JSON.stringify(agent), /agt_/, 'not in anybody’s log')
  assert.equal((await agent.get()).id, created.agent.id)
  const again = createAgent({ baseUrl, accessToken: agent.accessToken })
  assert.equal((await again.get()).name, 'Payroll assistant')
  await assert.rejects(connectAgent({ baseUrl, deviceCode }), FlorinError)

  const [account] = await agent.internalAccounts.list({ currency: 'USD' }).toArray()
  assert.ok(account)
  await florin.sandbox.fund(account.id, { amount: 100_000 })
  const payee = await agent.externalAccounts.create({
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '123456789',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
    },
  })
  const pay = (amount: number) =>
    agent.transfers.createOut({
      source: { accountId: account.id },
      destination: { accountId: payee.id },
      amount,
    })
  assert.equal((await pay(15_000)).status, 'APPROVED')
  await assert.rejects(pay(40_001), (error) => {
    assert.ok(error instanceof FlorinError)
    assert.equal(error.details['reason'], 'PER_TRANSACTION_LIMIT_EXCEEDED')
    return true
  })
  const waiting = await pay(25_000)
  assert.equal(waiting.status, 'PENDING_APPROVAL')
  const approved = await florin.agents.actions.approve(created.agent.id, waiting.id)
  assert.equal(approved.status, 'APPROVED')
})

test('a stamp goes along under the name that the operator chose', async () => {
  let headers = new Headers()
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    headers = new Headers(init?.headers)
    return new Response('{}')
  }
  const agent = createAgent({ baseUrl, accessToken: 'agt_1', wireBrand: 'Acme', fetch })
  await agent.quotes.execute('Quote:1', { signature: { stamp: 'abc' } })
  assert.equal(headers.get('acme-wallet-signature'), 'abc')
  assert.equal(headers.get('request-id'), null)
  assert.equal(headers.get('authorization'), 'Bearer agt_1')
})
