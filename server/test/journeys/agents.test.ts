import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  approve,
  bearer,
  connectAgent,
  createAgent,
  redeem,
  reject,
  setPolicy,
  usageOf,
} from '../kit/setups/agents.ts'
import { expectError, expectStatus, type Answer } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit, type TestPlatform } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  fund,
  payee,
  payer,
  quoteBody,
  readTransaction,
} from '../kit/payments.ts'
import { startReceiver } from '../kit/outside/receiver.ts'
import { newWallet } from '../kit/wallets/signing-wallets.ts'

const kit = await startKit()
const receiver = await startReceiver()
after(() => receiver.stop())

const DAY_SECONDS = 86_400

const POLICY = {
  permissions: ['CREATE_TRANSFERS', 'VIEW_TRANSACTIONS'],
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USDC', perTransactionLimit: 40_000_000, dailyLimit: 60_000_000 },
  approvalThresholds: { currency: 'USDC', amount: 20_000_000 },
}

type AgentSetup = Awaited<ReturnType<typeof setUp>>

/** The setup of the chapter's scenarios. */
async function setUp() {
  const platform = await kit.platform()
  const { customerId, account } = await payer(platform, { currency: 'USDC', funded: 100_000_000 })
  const wallet = await payee(platform, 'SOLANA_WALLET', { customerId })
  const agent = await connectAgent(platform, { customerId, policy: POLICY })
  const send = (amount: number, from = account) =>
    agent.api.post('/agents/me/transfer-out', {
      source: { accountId: from },
      destination: { accountId: wallet },
      amount,
    })
  return { platform, customerId, account, wallet, agent, send }
}

const advance = async ({ api }: TestPlatform, advanceSeconds: number): Promise<void> =>
  void expectStatus(await api.post('/sandbox/clock', { advanceSeconds }), 200)

async function pending({ send }: AgentSetup) {
  const action = expectStatus(await send(25_000_000), 201)
  assert.equal(action.status, 'PENDING_APPROVAL')
  return action
}

const reasonOf = (answer: Answer) => expectError(answer, 403, 'FORBIDDEN')['reason']

describe('acceptance scenarios of chapter 41', () => {
  test('a device code makes one token', async () => {
    const { platform, customerId } = await setUp()
    const { agent, deviceCode } = await createAgent(platform, { customerId, policy: POLICY })
    const code = deviceCode.code
    assert.equal(deviceCode.redeemed, false)
    const aheadMs = Date.parse(deviceCode.expiresAt) - Date.now()
    assert.ok(Math.abs(aheadMs - DAY_SECONDS * 1000) < 60_000)
    const status = () => platform.api.get(`/agents/device-codes/${code}/status`)
    assert.equal(expectStatus(await status(), 200).redeemed, false)
    const redeemed = expectStatus(await redeem(platform, code), 200)
    assert.match(redeemed.accessToken, /^agt_[A-Za-z0-9_-]{43}$/)
    assert.equal(expectStatus(await status(), 200).redeemed, true)
    const read = expectStatus(await platform.api.get(`/agents/${agent.id}`), 200)
    assert.equal(read.isConnected, true)
    const again = expectError(await redeem(platform, code), 400, 'INVALID_INPUT')
    assert.equal(again['reason'], 'DEVICE_CODE_ALREADY_REDEEMED')
  })

  test('a code lives a day, and a connected agent gets no other', async () => {
    const { platform, customerId } = await setUp()
    const { agent, deviceCode } = await createAgent(platform, { customerId, policy: POLICY })
    await advance(platform, DAY_SECONDS + 1)
    const late = expectError(await redeem(platform, deviceCode.code), 400, 'INVALID_INPUT')
    assert.equal(late['reason'], 'DEVICE_CODE_EXPIRED')
    const path = `/agents/${agent.id}/device-codes` as const
    const { code } = expectStatus(await platform.api.post(path), 201)
    expectStatus(await redeem(platform, code), 200)
    expectError(await platform.api.post(path), 409, 'CONFLICT')
  })

  test('each token opens its own side', async () => {
    const { platform, agent } = await setUp()
    const me = expectStatus(await agent.api.get('/agents/me'), 200)
    assert.deepEqual(me.policy, POLICY)
    const basic = await platform.api.get('/agents/me')
    expectError(basic, 401, 'UNAUTHORIZED')
    assert.equal(basic.headers.get('www-authenticate'), 'Bearer')
    const elsewhere = await agent.api.get('/customers')
    expectError(elsewhere, 401, 'UNAUTHORIZED')
    assert.equal(elsewhere.headers.get('www-authenticate'), 'Basic')
  })

  test('a payment within the threshold goes through at once, above it after approval, above a limit never', async () => {
    const setup = await setUp()
    const { platform, account, agent, send } = setup
    const webhookEndpoint = receiver.url
    expectStatus(await platform.api.patch('/config', { webhookEndpoint }), 200)
    const first = expectStatus(await send(15_000_000), 201)
    assert.equal(first.status, 'APPROVED')
    assert.equal(first.transaction?.agentId, agent.id)
    assert.deepEqual(first.transferDetails, {
      amount: 15_000_000,
      currency: 'USDC',
      sourceAccountId: account,
      destinationAccountId: setup.wallet,
    })
    const used = await usageOf(platform, agent.id)
    assert.equal(used.dailyTransactionCount, 1)
    assert.equal(used.dailySpend, 15_000_000)
    assert.equal(await balanceOf(platform, account), 85_000_000)

    const action = await pending(setup)
    assert.equal(action.transaction, undefined)
    const waiting = await readTransaction(platform, action.transactionId)
    assert.equal(waiting.status, 'PENDING')
    assert.equal(waiting.agentId, agent.id)
    await eventually(() => {
      const [emitted] = receiver.ofType('AGENT_ACTION.PENDING_APPROVAL')
      assert.equal(emitted?.event.data['id'], action.id)
      assert.deepEqual(emitted.event.data['transferDetails'], action.transferDetails)
    })
    assert.equal(await balanceOf(platform, account), 85_000_000)
    const approved = expectStatus(await approve(platform, action), 200)
    assert.equal(approved.status, 'APPROVED')
    assert.equal(approved.transaction?.id, action.transactionId)
    const after = await usageOf(platform, agent.id)
    assert.equal(after.dailyTransactionCount, 2)
    assert.equal(after.dailySpend, 40_000_000)
    assert.equal(await balanceOf(platform, account), 60_000_000)
    expectError(await approve(platform, action), 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')

    assert.equal(reasonOf(await send(40_000_001)), 'PER_TRANSACTION_LIMIT_EXCEEDED')
    const actions = expectStatus(await agent.api.get('/agents/me/actions'), 200)
    assert.equal(actions.data.length, 2)

    assert.equal(reasonOf(await send(20_000_001)), 'DAILY_LIMIT_EXCEEDED')
    assert.equal(expectStatus(await send(20_000_000), 201).status, 'APPROVED')
    await advance(platform, DAY_SECONDS)
    const next = await usageOf(platform, agent.id)
    assert.equal(next.dailyTransactionCount, 0)
    assert.equal(next.dailySpend, 0)
    assert.equal(expectStatus(await send(1_000_000), 201).status, 'APPROVED')
  })

  test('what was permitted when it was asked for is judged again when it is approved', async () => {
    const setup = await setUp()
    const { platform, account, agent } = setup
    const action = await pending(setup)
    const change = { spendingLimits: { perTransactionLimit: 1 } }
    expectStatus(await setPolicy(platform, agent.id, change), 200)
    const failed = expectStatus(await approve(platform, action), 200)
    assert.equal(failed.status, 'FAILED')
    assert.equal(failed.failureReason, 'PER_TRANSACTION_LIMIT_EXCEEDED')
    assert.equal(await balanceOf(platform, account), 100_000_000)
  })

  test('what is rejected does not move', async () => {
    const setup = await setUp()
    const { platform, account } = setup
    const action = await pending(setup)
    const rejected = expectStatus(await reject(platform, action, { reason: 'not today' }), 200)
    assert.equal(rejected.status, 'REJECTED')
    assert.equal(rejected.rejectionReason, 'not today')
    const id = action.transactionId
    assert.equal((await readTransaction(platform, id)).status, 'REJECTED')
    const late = await platform.api.post(`/transactions/${id}/approve`)
    expectError(late, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
    assert.equal(await balanceOf(platform, account), 100_000_000)
  })

  test('the payment may be approved in place of the action', async () => {
    const setup = await setUp()
    const { platform, account, agent } = setup
    const action = await pending(setup)
    const path = `/transactions/${action.transactionId}/approve` as const
    expectStatus(await platform.api.post(path), 200)
    const read = expectStatus(await agent.api.get(`/agents/me/actions/${action.id}`), 200)
    assert.equal(read.status, 'APPROVED')
    assert.equal(await balanceOf(platform, account), 75_000_000)
  })

  test('a paused agent may read', async () => {
    const { platform, agent, send } = await setUp()
    const pause = async (isPaused: boolean): Promise<unknown> =>
      expectStatus(await platform.api.patch(`/agents/${agent.id}`, { isPaused }), 200)
    await pause(true)
    assert.equal(reasonOf(await send(1_000_000)), 'AGENT_PAUSED')
    expectStatus(await agent.api.get('/agents/me'), 200)
    await pause(false)
    expectStatus(await send(1_000_000), 201)
  })

  test('creating a quote is one permission, executing it another', async () => {
    const { platform, account, wallet, agent } = await setUp()
    const permissions = ['CREATE_QUOTES']
    expectStatus(await setPolicy(platform, agent.id, { permissions }), 200)
    const body = quoteBody({ from: account, to: wallet, amount: 1_000_000 })
    const quote = expectStatus(await agent.api.post('/agents/me/quotes', body), 201)
    const execute = () => agent.api.post(`/agents/me/quotes/${quote.id}/execute`)
    const details = expectError(await execute(), 403, 'FORBIDDEN')
    assert.deepEqual(details, {
      reason: 'PERMISSION_MISSING',
      requiredPermission: 'EXECUTE_QUOTES',
    })
    const granted = { permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES'] }
    expectStatus(await setPolicy(platform, agent.id, granted), 200)
    const action = expectStatus(await execute(), 200)
    assert.equal(action.status, 'APPROVED')
    assert.equal(action.type, 'EXECUTE_QUOTE')
    assert.equal(action.quote?.id, quote.id)
    assert.equal(action.transaction?.agentId, agent.id)
  })

  test('a deleted agent leaves nothing pending', async () => {
    const setup = await setUp()
    const { platform, agent } = setup
    const action = await pending(setup)
    expectStatus(await platform.api.delete(`/agents/${agent.id}`), 204)
    const { status } = await readTransaction(platform, action.transactionId)
    assert.equal(status, 'REJECTED')
    expectError(await agent.api.get('/agents/me'), 401, 'UNAUTHORIZED')
    expectError(await platform.api.get(`/agents/${agent.id}`), 404, 'REFERENCE_NOT_FOUND')
  })

  test('only the allowed accounts are seen and used', async () => {
    const { platform, customerId, account, agent, send } = await setUp()
    const usd = await customerAccount(platform, customerId, 'USD')
    await fund(platform, usd, 100_000_000)
    const accountRestrictions = { allowedAccountIds: [account] }
    expectStatus(await setPolicy(platform, agent.id, { accountRestrictions }), 200)
    const seen = expectStatus(await agent.api.get('/agents/me/internal-accounts'), 200)
    assert.deepEqual(
      seen.data.map(({ id }) => id),
      [account],
    )
    assert.equal(reasonOf(await send(1_000_000, usd)), 'ACCOUNT_NOT_ALLOWED')
  })

  const APPROVED_QUOTES = {
    permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES'],
    defaultExecutionMode: 'APPROVAL_REQUIRED',
  }

  async function pendingQuote(setup: AgentSetup) {
    const { platform, agent, account, wallet } = setup
    expectStatus(await setPolicy(platform, agent.id, APPROVED_QUOTES), 200)
    const body = quoteBody({ from: account, to: wallet, amount: 1_000_000 })
    const quote = expectStatus(await agent.api.post('/agents/me/quotes', body), 201)
    const path = `/agents/me/quotes/${quote.id}/execute` as const
    const action = expectStatus(await agent.api.post(path), 200)
    assert.equal(action.status, 'PENDING_APPROVAL')
    return { quote, action }
  }

  test('ACT-29 ACT-30 a quote waits an hour for a person, and its action ends with it', async () => {
    const setup = await setUp()
    const { platform, agent } = setup
    const { quote, action } = await pendingQuote(setup)
    const lifeMs = Date.parse(quote.expiresAt) - Date.parse(quote.createdAt)
    assert.equal(lifeMs, 3_600_000)
    const executed = await platform.api.post(`/quotes/${quote.id}/execute`)
    assert.equal(expectError(executed, 409, 'CONFLICT')['actionId'], action.id)
    await advance(platform, 3601)
    const ended = expectStatus(await agent.api.get(`/agents/me/actions/${action.id}`), 200)
    assert.equal(ended.status, 'FAILED')
    assert.equal(ended.failureReason, 'QUOTE_EXPIRED')
    const left = expectStatus(await platform.api.get('/agents/approvals'), 200)
    assert.deepEqual(left.data, [])
    expectError(await approve(platform, action), 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
  })

  test('ACT-21 a freeze and a deleted payee are named when an action is approved', async () => {
    const setup = await setUp()
    const { platform, account, wallet } = setup
    const [frozen, unpayable] = [await pending(setup), await pending(setup)]
    await operate(kit, `accounts freeze ${account}`)
    const first = expectStatus(await approve(platform, frozen), 200)
    assert.equal(first.status, 'FAILED')
    assert.equal(first.failureReason, 'ACCOUNT_NOT_ACTIVE')
    await operate(kit, `accounts unfreeze ${account}`)
    expectStatus(await platform.api.delete(`/customers/external-accounts/${wallet}`), 204)
    const second = expectStatus(await approve(platform, unpayable), 200)
    assert.equal(second.failureReason, 'DESTINATION_DELETED')
  })

  test('ACT-31 a payee that the agent made itself needs approval for a day', async () => {
    const setup = await setUp()
    const { platform, account, agent } = setup
    const permissions = ['CREATE_TRANSFERS', 'MANAGE_EXTERNAL_ACCOUNTS']
    expectStatus(await setPolicy(platform, agent.id, { permissions }), 200)
    const body = {
      currency: 'USDC',
      accountInfo: { accountType: 'SOLANA_WALLET', address: newWallet().address },
    }
    const made = expectStatus(await agent.api.post('/agents/me/external-accounts', body), 201)
    const pay = async () =>
      expectStatus(
        await agent.api.post('/agents/me/transfer-out', {
          source: { accountId: account },
          destination: { accountId: made.id },
          amount: 1_000_000,
        }),
        201,
      )
    assert.equal((await pay()).status, 'PENDING_APPROVAL')
    await advance(platform, DAY_SECONDS)
    assert.equal((await pay()).status, 'APPROVED')
  })

  test('AGENT-16 AGENT-18 a token ends after 90 days, and a new code makes another', async () => {
    const { platform, agent } = await setUp()
    await advance(platform, 90 * DAY_SECONDS)
    expectError(await agent.api.get('/agents/me'), 401, 'UNAUTHORIZED')
    const read = expectStatus(await platform.api.get(`/agents/${agent.id}`), 200)
    assert.equal(read.isConnected, false)
    const { code } = expectStatus(await platform.api.post(`/agents/${agent.id}/device-codes`), 201)
    const { accessToken } = expectStatus(await redeem(platform, code), 200)
    const me = await bearer(platform.api, accessToken).get('/agents/me')
    assert.equal(expectStatus(me, 200).id, agent.id)
  })
})
