import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentAction, Quote } from '../../../../../sdk/src/index.ts'
import {
  advance,
  APPROVAL,
  newQuote,
  newAgentSetup,
  pull,
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
import { expectError, expectStatus, type HasId, type Shown } from '../../../../test/kit/api.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  execute,
  fund,
  payee,
  quoteBody,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { logIn, newScaCustomer, RIGHT, type Sca } from '../../../../test/kit/sca/sca.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { mustParseId } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const setUp = (policy: object = {}): Promise<AgentSetup> => newAgentSetup(kit, policy)
const NOT_PENDING = 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'

const limit = ({ platformId }: TestPlatform, options: string) =>
  operate(kit, `limits set --platform ${platformId} --currency USD ${options}`)

/** A quote whose action waits for approval. */
async function pendingQuote(fixture: AgentSetup) {
  const quoted = expectStatus(await newQuote(fixture), 201)
  const action = expectStatus(await run(fixture, quoted), 200)
  assert.equal(action.status, 'PENDING_APPROVAL')
  return { quoted, action }
}

const approvals = async ({ platform }: AgentSetup, query: Record<string, string> = {}) =>
  expectStatus(await platform.api.get('/agents/approvals', { query }), 200).data

const readAction = async ({ agent }: AgentSetup, { id }: HasId) =>
  expectStatus(await agent.api.get(`/agents/me/actions/${id}`), 200)

test('ACT-9 QUOTE-13 a platform that executes a quote that waits for approval is sent to the action', async () => {
  const fixture = await setUp(APPROVAL)
  const { platform, account, agent } = fixture
  const { quoted, action } = await pendingQuote(fixture)
  const details = expectError(await execute(platform, quoted), 409, 'CONFLICT')
  assert.deepEqual(details, { quoteStatus: 'PENDING', actionId: action.id })
  const again = expectError(await run(fixture, quoted), 409, 'CONFLICT')
  assert.deepEqual(again, { quoteStatus: 'PENDING', actionId: action.id })
  assert.equal((await readAction(fixture, action)).status, 'PENDING_APPROVAL')
  assert.equal((await readQuote(platform, quoted)).status, 'PENDING')
  assert.equal(await balanceOf(platform, account), 100_000)
  assert.equal((await usageOf(platform, agent.id)).dailyTransactionCount, 0)
  assert.equal(expectStatus(await approve(platform, action), 200).status, 'APPROVED')
  assert.equal(await balanceOf(platform, account), 99_000)
  const own = expectStatus(await newQuote(fixture), 201)
  expectStatus(await execute(platform, own), 200)
})

test('ACT-9 QUOTE-13 once the action is rejected the quote is over for the platform too', async () => {
  const fixture = await setUp(APPROVAL)
  const { platform } = fixture
  const { quoted, action } = await pendingQuote(fixture)
  expectStatus(await reject(platform, action), 200)
  const details = expectError(await execute(platform, quoted), 409, 'CONFLICT')
  assert.deepEqual(details, { quoteStatus: 'FAILED' })
})

async function expectEnded(
  fixture: AgentSetup,
  quoted: Shown<Quote>,
  action: Shown<AgentAction>,
): Promise<void> {
  const { platform, agent } = fixture
  const ended = await readAction(fixture, action)
  assert.equal(ended.status, 'FAILED')
  assert.equal(ended.failureReason, 'QUOTE_EXPIRED')
  assert.equal(ended.quote?.status, 'EXPIRED')
  assert.deepEqual(await approvals(fixture), [])
  const transaction = `/transactions/${action.transactionId}`
  for (const answer of [
    await approve(platform, action),
    await reject(platform, action),
    await platform.api.post(`${transaction}/approve`),
    await platform.api.post(`${transaction}/reject`),
  ]) {
    expectError(answer, 409, NOT_PENDING)
  }
  assert.equal(await statusOf(fixture, action), 'EXPIRED')
  assert.equal((await readQuote(platform, quoted)).status, 'EXPIRED')
  const [listed] = await approvals(fixture, { status: 'FAILED' })
  assert.equal(listed?.failureReason, 'QUOTE_EXPIRED')
  const query = { type: 'OUTGOING_PAYMENT.EXPIRED' }
  const events = expectStatus(await platform.api.get('/events', { query }), 200).data
  assert.equal(events.length, 1)
  assert.equal(events[0]?.data?.['agentId'], agent.id)
  assert.equal(events[0].data?.['quoteId'], quoted.id)
}

test('ACT-30 an undecided action ends with its quote', async () => {
  const fixture = await setUp(APPROVAL)
  const { quoted, action } = await pendingQuote(fixture)
  await advance(fixture, 3540)
  assert.equal((await approvals(fixture)).length, 1)
  await advance(fixture, 60)
  await expectEnded(fixture, quoted, action)
})

test('ACT-30 an overdue action has ended whether or not the job ran: the next call records it', async () => {
  const fixture = await setUp(APPROVAL)
  const { quoted, action } = await pendingQuote(fixture)
  const { db } = kit.florin.deps
  const key = mustParseId('quote', quoted.id)
  const dropped = await db.read.run(
    sql`delete from jobs where name = 'quotes.expire' and key = ${key}`,
  )
  assert.equal(dropped, 1)
  await advance(fixture, 3600)
  const stored = await db.read.one<{ status: string }>(
    sql`select status from agent_actions where id = ${mustParseId('agentAction', action.id)}`,
  )
  assert.equal(stored.status, 'PENDING_APPROVAL')
  await expectEnded(fixture, quoted, action)
})

test('ACT-30 a transfer cannot be approved after seven days, whether or not the job ran', async () => {
  const fixture = await setUp(APPROVAL)
  const action = expectStatus(await send(fixture), 201)
  const key = mustParseId('agentAction', action.id)
  await kit.florin.deps.db.read.run(
    sql`delete from jobs where name = 'agents.expireAction' and key = ${key}`,
  )
  await advance(fixture, 7 * 86_400)
  assert.deepEqual(await approvals(fixture), [])
  expectError(await approve(fixture.platform, action), 409, NOT_PENDING)
  assert.equal((await readAction(fixture, action)).failureReason, 'APPROVAL_TIMED_OUT')
  assert.equal(await statusOf(fixture, action), 'EXPIRED')
})

type Cause = Readonly<{
  what: string
  change: (fixture: AgentSetup) => Promise<unknown>
  failureReason: string
  details: Readonly<Record<string, unknown>>
  ofTransaction: string
}>

const remove = async ({ platform, to }: AgentSetup): Promise<void> =>
  void expectStatus(await platform.api.delete(`/customers/external-accounts/${to}`), 204)

const CAUSES: readonly Cause[] = [
  {
    what: 'a frozen account',
    change: ({ account }) => operate(kit, `accounts freeze ${account}`),
    failureReason: 'ACCOUNT_NOT_ACTIVE',
    details: { code: 'USER_NOT_READY', status: 'FROZEN' },
    ofTransaction: 'COMPLIANCE_REJECTED',
  },
  {
    what: 'a customer on hold',
    change: ({ customerId }) => operate(kit, `review hold ${customerId}`),
    failureReason: 'CUSTOMER_NOT_READY',
    details: { code: 'USER_NOT_READY', status: 'HOLD' },
    ofTransaction: 'COMPLIANCE_REJECTED',
  },
  {
    what: 'a deleted payee',
    change: remove,
    failureReason: 'DESTINATION_DELETED',
    details: { code: 'CONFLICT', reason: 'DESTINATION_DELETED' },
    ofTransaction: 'ACCOUNT_INVALID',
  },
  {
    what: 'a payee under review',
    change: ({ to }) => operate(kit, `external-accounts set-status ${to} UNDER_REVIEW`),
    failureReason: 'DESTINATION_NOT_USABLE',
    details: { code: 'INVALID_BANK_ACCOUNT', status: 'UNDER_REVIEW' },
    ofTransaction: 'ACCOUNT_CANNOT_RECEIVE',
  },
  {
    what: 'a transaction limit',
    change: ({ platform }) => limit(platform, '--max-transaction 999 --daily-volume 100000'),
    failureReason: 'LIMIT_EXCEEDED',
    details: { code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED' },
    ofTransaction: 'LIMIT_EXCEEDED',
  },
  {
    what: 'a daily volume',
    change: ({ platform }) => limit(platform, '--daily-volume 999'),
    failureReason: 'LIMIT_EXCEEDED',
    details: { code: 'DAILY_VOLUME_LIMIT_EXCEEDED' },
    ofTransaction: 'LIMIT_EXCEEDED',
  },
  {
    what: 'a freeze before the payee',
    change: async (fixture) => {
      await remove(fixture)
      await operate(kit, `accounts freeze ${fixture.account}`)
    },
    failureReason: 'ACCOUNT_NOT_ACTIVE',
    details: { code: 'USER_NOT_READY', status: 'FROZEN' },
    ofTransaction: 'COMPLIANCE_REJECTED',
  },
  {
    what: 'an empty account',
    change: async ({ platform, account, to }) => {
      const all = { from: account, to, amount: 100_000, immediatelyExecute: true }
      expectStatus(await platform.api.post('/quotes', quoteBody(all)), 201)
    },
    failureReason: 'INSUFFICIENT_BALANCE',
    details: { code: 'INSUFFICIENT_BALANCE' },
    ofTransaction: 'QUOTE_EXECUTION_FAILED',
  },
]

for (const { what, change, failureReason, details, ofTransaction } of CAUSES) {
  test(`ACT-21 ${what} fails the action at approval by its name`, async () => {
    const fixture = await setUp(APPROVAL)
    const { platform, agent } = fixture
    const { quoted, action } = await pendingQuote(fixture)
    const transfer = expectStatus(await send(fixture), 201)
    await change(fixture)
    for (const one of [action, transfer]) {
      const failed = expectStatus(await approve(platform, one), 200)
      assert.equal(failed.status, 'FAILED')
      assert.equal(failed.failureReason, failureReason)
      const { accountId, ...rest } = failed.failureDetails ?? {}
      assert.deepEqual(rest, details)
      assert.ok(accountId === undefined || accountId === fixture.account)
      const transaction = await readTransaction(platform, one.transactionId)
      assert.equal(transaction.status, 'FAILED')
      assert.equal(transaction.failureReason, ofTransaction)
      const types = await eventTypesOf(platform, one.transactionId)
      assert.equal(types.at(-1), 'OUTGOING_PAYMENT.FAILED')
      expectError(await approve(platform, one), 409, NOT_PENDING)
    }
    assert.equal((await readQuote(platform, quoted)).status, 'FAILED')
    assert.equal((await usageOf(platform, agent.id)).dailyTransactionCount, 0)
  })
}

test('ACT-21 the policy is checked before the payment', async () => {
  const fixture = await setUp(APPROVAL)
  const { platform, agent, account } = fixture
  const { action } = await pendingQuote(fixture)
  await operate(kit, `accounts freeze ${account}`)
  const change = { spendingLimits: { perTransactionLimit: 1 } }
  expectStatus(await setPolicy(platform, agent.id, change), 200)
  const failed = expectStatus(await approve(platform, action), 200)
  assert.equal(failed.failureReason, 'PER_TRANSACTION_LIMIT_EXCEEDED')
  assert.equal(failed.failureDetails, undefined)
})

const INCOMING: readonly (readonly [string, Cause['change'], string, string])[] = [
  [
    'a source that is not active',
    ({ to }) => operate(kit, `external-accounts set-status ${to} UNDER_REVIEW`),
    'ACCOUNT_NOT_ACTIVE',
    'COMPLIANCE_REJECTED',
  ],
  ['a deleted source', remove, 'ACCOUNT_NOT_ACTIVE', 'COMPLIANCE_REJECTED'],
  [
    'a customer on hold',
    ({ customerId }) => operate(kit, `review hold ${customerId}`),
    'CUSTOMER_NOT_READY',
    'COMPLIANCE_REJECTED',
  ],
  [
    'a frozen destination',
    ({ account }) => operate(kit, `accounts freeze ${account}`),
    'DESTINATION_NOT_USABLE',
    'QUOTE_EXECUTION_FAILED',
  ],
  [
    'a transaction limit',
    ({ platform }) => limit(platform, '--max-transaction 999'),
    'LIMIT_EXCEEDED',
    'QUOTE_EXECUTION_FAILED',
  ],
]

for (const [what, change, failureReason, ofTransaction] of INCOMING) {
  test(`ACT-21 of a transfer-in ${what} fails the action by its name`, async () => {
    const fixture = await setUp(APPROVAL)
    const { platform } = fixture
    const action = expectStatus(await pull(fixture), 201)
    await change(fixture)
    const failed = expectStatus(await approve(platform, action), 200)
    assert.equal(failed.failureReason, failureReason)
    const transaction = await readTransaction(platform, action.transactionId)
    assert.equal(transaction.status, 'FAILED')
    assert.equal(transaction.failureReason, ofTransaction)
  })
}

test('ACT-21 LIM-2 the platform’s own range counts at approval', async () => {
  const fixture = await setUp(APPROVAL)
  const { platform } = fixture
  const { action } = await pendingQuote(fixture)
  const supportedCurrencies = [
    {
      currencyCode: 'USD',
      minAmount: 1001,
      maxAmount: 1_000_000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ['OUTGOING', 'INCOMING'],
    },
  ]
  expectStatus(await platform.api.patch('/config', { supportedCurrencies }), 200)
  const failed = expectStatus(await approve(platform, action), 200)
  assert.equal(failed.failureReason, 'LIMIT_EXCEEDED')
  assert.equal(failed.failureDetails?.code, 'AMOUNT_OUT_OF_RANGE')
})

test('ACT-22 ACT-21 the payment that is approved fails with the same reason', async () => {
  const fixture = await setUp(APPROVAL)
  const { platform, account } = fixture
  const { action } = await pendingQuote(fixture)
  await operate(kit, `accounts freeze ${account}`)
  const path = `/transactions/${action.transactionId}/approve` as const
  const transaction = expectStatus(await platform.api.post(path), 200)
  assert.equal(transaction.status, 'FAILED')
  assert.equal(transaction.failureReason, 'COMPLIANCE_REJECTED')
  assert.equal((await readAction(fixture, action)).failureReason, 'ACCOUNT_NOT_ACTIVE')
})

/** A customer under strong authentication, logged in, with an agent and a wallet that the customer trusts. */
async function scaFixture(): Promise<Readonly<{ fixture: AgentSetup; sca: Sca }>> {
  const platform = await kit.platform()
  const { api } = platform
  const sca = await newScaCustomer(platform)
  const { customerId } = sca
  const account = await customerAccount(platform, customerId, 'USDC')
  await fund(platform, account, 100_000_000)
  await logIn(sca)
  const more = { ownershipType: 'THIRD_PARTY' }
  const to = await payee(platform, 'SOLANA_WALLET', { customerId, more })
  const path = `/customers/external-accounts/${to}/trust` as const
  const { scaChallenge } = expectStatus(await api.post(path), 200)
  const proof = { challengeId: scaChallenge?.id, code: RIGHT }
  expectStatus(await api.post(`${path}/confirm`, proof), 200)
  const spendingLimits = { currency: 'USDC', perTransactionLimit: 100_000_000 }
  const policy = policyOf({ ...APPROVAL, spendingLimits })
  const agent = await connectAgent(platform, { customerId, policy })
  return { fixture: { platform, customerId, account, to, agent }, sca }
}

test('ACT-21 SCA-54 SCA-55 a payment that now needs the customer’s session fails with SCA_REQUIRED', async () => {
  const { fixture, sca } = await scaFixture()
  const { platform } = fixture
  const quoted = expectStatus(await newQuote(fixture, { amount: 1_000_000 }), 201)
  const actions = [
    expectStatus(await run(fixture, quoted), 200),
    expectStatus(await send(fixture, 1_000_000), 201),
  ]
  expectStatus(await sca.post('/record-event', { eventType: 'RESET_PASSWORD_COMPLETED' }), 200)
  for (const action of actions) {
    const failed = expectStatus(await approve(platform, action), 200)
    assert.equal(failed.failureReason, 'SCA_REQUIRED', JSON.stringify(failed))
    const transaction = await readTransaction(platform, action.transactionId)
    assert.equal(transaction.failureReason, 'QUOTE_EXECUTION_FAILED')
  }
})
