import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AgentAction } from '../../../../../sdk/src/index.ts'
import {
  advance,
  APPROVAL,
  newQuote,
  newAgentSetup,
  pull,
  reasonOf,
  run,
  send,
  statusOf,
  type AgentSetup,
} from '../../../../test/kit/setups/agent-setups.ts'
import {
  approve,
  connectAgent,
  policyOf,
  reject,
  setPolicy,
  usageOf,
} from '../../../../test/kit/setups/agents.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import { startKit, WITH_BITCOIN } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  fund,
  payee,
  payer,
  quoteBody,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'

const kit = await startKit()
const DAY_SECONDS = 86_400
const setUp = (policy: object = {}): Promise<AgentSetup> => newAgentSetup(kit, policy)

describe('approval', () => {
  test('ACT-20 ACT-26 a waiting action has a transaction and holds no money; only the platform approves', async () => {
    const setup = await setUp(APPROVAL)
    const { platform, account, agent } = setup
    const quoted = expectStatus(await newQuote(setup), 201)
    const executed = expectStatus(await run(setup, quoted), 200)
    const moved = [await send(setup), await pull(setup)].map((one) => expectStatus(one, 201))
    const actions = [...moved, executed]
    for (const action of actions) {
      assert.equal(action.status, 'PENDING_APPROVAL')
      assert.equal(action.transaction, undefined)
      assert.equal(await statusOf(setup, action), 'PENDING')
      const path = `/agents/${agent.id}/actions/${action.id}` as const
      expectError(await agent.api.post(`${path}/approve`), 401, 'UNAUTHORIZED')
      const transaction = `/transactions/${action.transactionId}`
      expectError(await agent.api.post(`${transaction}/approve`), 401, 'UNAUTHORIZED')
      const cancelled = await platform.api.post(`${transaction}/cancel`)
      assert.ok(cancelled.status === 400 || cancelled.status === 409, cancelled.text)
      assert.equal(await statusOf(setup, action), 'PENDING')
    }
    assert.equal(executed.quote?.transactionId, executed.transactionId)
    const listed = expectStatus(await platform.api.get('/transactions'), 200)
    const ids = listed.data.map(({ id }) => id)
    for (const { transactionId } of actions) assert.ok(ids.includes(transactionId))
    assert.equal(await balanceOf(platform, account), 100_000)
    for (const action of actions) {
      const approved = expectStatus(await approve(platform, action), 200)
      assert.equal(approved.status, 'APPROVED')
      assert.equal(approved.transaction?.id, action.transactionId)
    }
    assert.equal(await balanceOf(platform, account), 99_000)
    assert.equal((await usageOf(platform, agent.id)).dailyTransactionCount, 3)
  })

  test('ACT-21 ACT-28 an approval checks the current state, and fails with the reason', async () => {
    const cases: readonly (readonly [string, (setup: AgentSetup) => Promise<unknown>])[] = [
      [
        'AGENT_PAUSED',
        ({ platform, agent }) => platform.api.patch(`/agents/${agent.id}`, { isPaused: true }),
      ],
      [
        'PERMISSION_MISSING',
        ({ platform, agent }) => setPolicy(platform, agent.id, { permissions: [] }),
      ],
      [
        'ACCOUNT_NOT_ALLOWED',
        ({ platform, agent }) =>
          setPolicy(platform, agent.id, { accountRestrictions: { allowedAccountIds: [] } }),
      ],
      [
        'DAILY_LIMIT_EXCEEDED',
        ({ platform, agent }) =>
          setPolicy(platform, agent.id, { spendingLimits: { dailyLimit: 999 } }),
      ],
      [
        'MONTHLY_LIMIT_EXCEEDED',
        ({ platform, agent }) =>
          setPolicy(platform, agent.id, { spendingLimits: { monthlyLimit: 999 } }),
      ],
      [
        'DAILY_TRANSACTION_LIMIT_EXCEEDED',
        ({ platform, agent }) =>
          setPolicy(platform, agent.id, { spendingLimits: { dailyTransactionLimit: 0 } }),
      ],
    ]
    for (const [reason, change] of cases) {
      const setup = await setUp(APPROVAL)
      const { platform, account } = setup
      const quoted = expectStatus(await newQuote(setup), 201)
      const actions = [
        expectStatus(await send(setup), 201),
        expectStatus(await run(setup, quoted), 200),
      ]
      for (const action of actions) {
        await change(setup)
        const failed = expectStatus(await approve(platform, action), 200)
        assert.equal(failed.status, 'FAILED', reason)
        assert.equal(failed.failureReason, reason)
        assert.equal(failed.transaction, undefined)
        const transaction = await readTransaction(platform, action.transactionId)
        assert.equal(transaction.status, 'FAILED')
        assert.equal(transaction.failureReason, 'QUOTE_EXECUTION_FAILED')
        const types = await eventTypesOf(platform, action.transactionId)
        assert.equal(types.at(-1), 'OUTGOING_PAYMENT.FAILED')
      }
      assert.equal((await readQuote(platform, quoted)).status, 'FAILED')
      assert.equal(await balanceOf(platform, account), 100_000)
    }
  })

  const INVOICE =
    'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'

  for (const defaultExecutionMode of ['AUTO', 'APPROVAL_REQUIRED']) {
    test(`ACT-1 ACT-21 an invoice counts with the amount that leaves, fee included: ${defaultExecutionMode}`, async () => {
      const spendingLimits = { currency: 'BTC', perTransactionLimit: 250_100 }
      const policy = { defaultExecutionMode, spendingLimits }
      const setup = await newAgentSetup(kit, policy, WITH_BITCOIN)
      const { platform, customerId, agent } = setup
      const accountInfo = { accountType: 'LIGHTNING', invoice: INVOICE }
      const invoiced = { currency: 'BTC', accountInfo }
      const made = await agent.api.post('/agents/me/external-accounts', invoiced)
      const from = await customerAccount(platform, customerId, 'BTC')
      await fund(platform, from, 1_000_000)
      const ends = { from, to: expectStatus(made, 201).id }
      const setFee = (fee: number) =>
        operate(kit, `fees set --platform ${platform.platformId} --application-fee BTC:${fee}`)
      await setFee(101)
      assert.equal(reasonOf(await send(setup, 250_000, ends)), 'PER_TRANSACTION_LIMIT_EXCEEDED')
      await setFee(100)
      const action = expectStatus(await send(setup, 250_000, ends), 201)
      if (action.status !== ('APPROVED' as unknown)) {
        assert.equal(expectStatus(await approve(platform, action), 200).status, 'APPROVED')
      }
      assert.equal((await usageOf(platform, agent.id)).dailySpend, 250_100)
      assert.equal(await balanceOf(platform, from), 1_000_000 - 250_100)
    })
  }

  test('ACT-21 ACT-13 a transfer whose currency is not sent any more fails, as a new one would', async () => {
    const setup = await setUp(APPROVAL)
    const { platform, account, to } = setup
    const action = expectStatus(await send(setup), 201)
    const supportedCurrencies = [
      {
        currencyCode: 'USD',
        minAmount: 1,
        maxAmount: 1_000_000,
        requiredCounterpartyFields: [],
        enabledTransactionTypes: ['INCOMING'],
      },
    ]
    expectStatus(await platform.api.patch('/config', { supportedCurrencies }), 200)
    const direct = await platform.api.post('/transfer-out', {
      source: { accountId: account },
      destination: { accountId: to },
      amount: 1000,
    })
    expectError(direct, 400, 'INVALID_CURRENCY')
    const failed = expectStatus(await approve(platform, action), 200)
    assert.equal(failed.status, 'FAILED')
    assert.equal(failed.failureReason, 'EXECUTION_FAILED')
    assert.deepEqual(failed.failureDetails, { code: 'INVALID_CURRENCY' })
    assert.equal(await statusOf(setup, action), 'FAILED')
    assert.equal(await balanceOf(platform, account), 100_000)
  })

  test('ACT-22 ACT-23 ACT-25 deciding the payment decides the action, once', async () => {
    const setup = await setUp(APPROVAL)
    const { platform, agent } = setup
    const decide = (action: Shown<AgentAction>, verb: string, body?: object) =>
      platform.api.post(`/transactions/${action.transactionId}/${verb}`, body)
    const read = async (action: HasId) =>
      expectStatus(await agent.api.get(`/agents/me/actions/${action.id}`), 200)
    const first = expectStatus(await send(setup), 201)
    const transaction = expectStatus(await decide(first, 'reject', { reason: 'no' }), 200)
    assert.equal(transaction['id'], first.transactionId)
    assert.equal(transaction['status'], 'REJECTED')
    assert.equal((await read(first)).rejectionReason, 'no')
    const second = expectStatus(await pull(setup), 201)
    expectStatus(await decide(second, 'approve', {}), 200)
    assert.equal((await read(second)).status, 'APPROVED')
    const code = 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'
    for (const action of [first, second]) {
      expectError(await decide(action, 'approve'), 409, code)
      expectError(await decide(action, 'reject'), 409, code)
      expectError(await approve(platform, action), 409, code)
      expectError(await reject(platform, action), 409, code)
    }
    const third = expectStatus(await send(setup), 201)
    expectFields(await reject(platform, third, { reason: 'x'.repeat(1001) }), ['reason'])
    expectFields(await reject(platform, third, { reason: 7 }), ['reason'])
    const silent = expectStatus(await reject(platform, third, {}), 200)
    assert.equal(silent.rejectionReason, undefined)
    assert.deepEqual(await eventTypesOf(platform, third.transactionId), [])
    const fourth = expectStatus(await pull(setup), 201)
    expectStatus(await reject(platform, fourth), 200)
    assert.deepEqual(await eventTypesOf(platform, fourth.transactionId), [])
  })

  test('ACT-24 an action is not found under another agent’s id', async () => {
    const setup = await setUp(APPROVAL)
    const { platform, customerId } = setup
    const sibling = await connectAgent(platform, { customerId })
    const action = expectStatus(await send(setup), 201)
    const elsewhere = { ...action, agentId: sibling.id }
    expectError(await approve(platform, elsewhere), 404, 'REFERENCE_NOT_FOUND')
    expectError(await reject(platform, elsewhere), 404, 'REFERENCE_NOT_FOUND')
    const stranger = await kit.platform()
    expectError(await approve(stranger, action), 404, 'REFERENCE_NOT_FOUND')
  })

  test('ACT-27 the queue of approvals, filtered and in either order', async () => {
    const setup = await setUp(APPROVAL)
    const { platform, customerId, agent } = setup
    const other = await payer(platform)
    const second = await connectAgent(platform, {
      customerId: other.customerId,
      policy: policyOf(APPROVAL),
    })
    const to = await payee(platform, 'USD_ACCOUNT', { customerId: other.customerId })
    const actions = [expectStatus(await send(setup), 201)]
    await advance(setup, 60)
    actions.push(expectStatus(await send(setup), 201))
    await advance(setup, 60)
    actions.push(
      expectStatus(await send({ ...setup, agent: second, account: other.account, to }), 201),
    )
    const [a, b, c] = actions.map(({ id }) => id)
    const list = async (query: Record<string, string> = {}) => {
      const body = expectStatus(await platform.api.get('/agents/approvals', { query }), 200)
      return body.data.map(({ id }) => id)
    }
    assert.deepEqual(await list(), [c, b, a])
    assert.deepEqual(await list({ sortOrder: 'asc' }), [a, b, c])
    assert.deepEqual(await list({ agentId: agent.id }), [b, a])
    assert.deepEqual(await list({ customerId: other.customerId }), [c])
    const at = text(actions[1]?.createdAt)
    assert.deepEqual(await list({ startDate: at, endDate: at }), [b], 'both ends included')
    expectStatus(await reject(platform, actions[0]!), 200)
    assert.deepEqual(await list({ customerId }), [b])
    assert.deepEqual(await list({ status: 'REJECTED' }), [a])
    const inverted = { startDate: '2026-02-01T00:00:00Z', endDate: '2026-01-01T00:00:00Z' }
    expectFields(await platform.api.get('/agents/approvals', { query: inverted }), ['startDate'])
    const unknown = { agentId: agent.id.replace(/.{4}$/, '0000') }
    const answer = await platform.api.get('/agents/approvals', { query: unknown })
    expectError(answer, 404, 'REFERENCE_NOT_FOUND')
  })

  test('an undecided transfer fails after seven days, without an event', async () => {
    const setup = await setUp(APPROVAL)
    const { platform, agent } = setup
    const actions = [await send(setup), await pull(setup)].map((one) => expectStatus(one, 201))
    await advance(setup, 7 * DAY_SECONDS - 60)
    for (const action of actions) assert.equal(await statusOf(setup, action), 'PENDING')
    await advance(setup, 120)
    for (const action of actions) {
      const read = expectStatus(await agent.api.get(`/agents/me/actions/${action.id}`), 200)
      assert.equal(read.status, 'FAILED')
      assert.equal(read.failureReason, 'APPROVAL_TIMED_OUT')
      assert.equal(await statusOf(setup, action), 'EXPIRED')
      assert.deepEqual(await eventTypesOf(platform, action.transactionId), [])
      const code = 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'
      expectError(await approve(platform, action), 409, code)
    }
  })

  test('AGENT-9 AGENT-10 a pause keeps waiting actions; deletion of the customer rejects them', async () => {
    const setup = await setUp(APPROVAL)
    const { platform, customerId, account, agent } = setup
    const quoted = expectStatus(await newQuote(setup), 201)
    const actions = [
      expectStatus(await run(setup, quoted), 200),
      expectStatus(await pull(setup), 201),
    ]
    expectStatus(await platform.api.patch(`/agents/${agent.id}`, { isPaused: true }), 200)
    for (const action of actions) assert.equal(await statusOf(setup, action), 'PENDING')
    const out = quoteBody({
      from: account,
      to: setup.to,
      amount: 100_000,
      immediatelyExecute: true,
    })
    expectStatus(await platform.api.post('/quotes', out), 201)
    expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
    for (const action of actions) assert.equal(await statusOf(setup, action), 'REJECTED')
    assert.equal((await readQuote(platform, quoted)).status, 'FAILED')
    const query = { status: 'REJECTED', agentId: agent.id }
    const listed = expectStatus(await platform.api.get('/agents/approvals', { query }), 200)
    for (const { rejectionReason } of listed.data) {
      assert.equal(rejectionReason, 'Agent deleted')
    }
    const transaction = await readTransaction(platform, actions[0]?.transactionId)
    assert.equal(transaction.agentId, agent.id, 'transactions keep their agent')
  })
})
