import assert from 'node:assert/strict'
import { test } from 'node:test'
import { submitAction } from '../../src/features/agents/actions/submit-action.ts'
import { findPlatform } from '../../src/infra/platforms.ts'
import { addMs, DAY_MS, SECOND_MS, toWireDate } from '../../src/kernel/clock.ts'
import { mustParseId, newUuid } from '../../src/kernel/ids.ts'
import {
  approve,
  bearer,
  connectAgent,
  createAgent,
  policyOf,
  postAgent,
  redeem,
  reject,
  usageOf,
} from '../kit/setups/agents.ts'
import { client, expectError, expectStatus, text, type Answer } from '../kit/api.ts'
import { advance } from '../kit/cards.ts'
import { MANY_CONNECTIONS, startOwnKit } from '../kit/florin.ts'
import { balanceOf, payee, payer, quoteBody, readTransaction } from '../kit/payments.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)
/** Another process on the same database: no lock of one process helps. */
const elsewhere = await kit.neighbour()

const times = <P extends Promise<unknown>>(count: number, make: (index: number) => P) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const accepted = <A extends Answer>(answers: readonly A[]) =>
  answers.filter(({ status }) => status < 300)
const refused = <A extends Answer>(answers: readonly A[]) =>
  answers.filter(({ status }) => status >= 300)

const USD = { currency: 'USD', perTransactionLimit: 1_000_000 }

async function start(policy: object) {
  const platform = await kit.platform()
  const { customerId, account } = await payer(platform, { funded: 1_000_000 })
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const agent = await connectAgent(platform, { customerId, policy: policyOf(policy) })
  const far = bearer(client(elsewhere, platform), agent.token)
  const body = { source: { accountId: account }, destination: { accountId: to } }
  /** A machine that is too slow for so many at once says so, and is asked again. */
  const send = async (index: number, amount: number) => {
    const keyed = { headers: { 'Idempotency-Key': newUuid() } }
    const { api } = index % 2 ? { api: far } : agent
    for (;;) {
      const answer = await api.post('/agents/me/transfer-out', { ...body, amount }, keyed)
      if (answer.status !== 503) return answer
    }
  }
  return { platform, customerId, account, to, agent, far, send }
}

test('ACT-6 of a hundred racing payments, in two processes, as many run as the cap holds', async () => {
  const { platform, account, agent, send } = await start({
    spendingLimits: { ...USD, dailyLimit: 10_500 },
  })
  const answers = await times(100, (index) => send(index, 1000))
  assert.equal(accepted(answers).length, 10)
  for (const answer of refused(answers)) {
    assert.equal(expectError(answer, 403, 'FORBIDDEN')['reason'], 'DAILY_LIMIT_EXCEEDED')
  }
  const usage = await usageOf(platform, agent.id)
  assert.equal(usage.dailySpend, 10_000)
  assert.equal(usage.monthlySpend, 10_000)
  assert.equal(usage.dailyTransactionCount, 10)
  assert.equal(await balanceOf(platform, account), 990_000)
})

test('ACT-6 AGENT-20 what a batch decides on both sides of midnight counts on its own day', async () => {
  const limits = { ...USD, dailyLimit: 1_500, dailyTransactionLimit: 2 }
  const { platform, customerId, account, to, agent } = await start({ spendingLimits: limits })
  const { deps, lane } = kit.florin
  const own = await findPlatform(deps.db.read, mustParseId('platform', platform.platformId))
  assert.ok(own)
  const today = new Date()
  const midnight = new Date(`${toWireDate(addMs(today, DAY_MS))}T00:00:00Z`)
  const pay = (now: Date) => {
    const agentId = mustParseId('agent', agent.id)
    const owner = mustParseId('customer', customerId)
    const actor = { kind: 'agent', agentId, customerId: owner } as const
    const input = { source: { accountId: account }, destination: { accountId: to }, amount: 1_000 }
    const caller = { platform: own, actor, now, requestId: 'midnight', action: 'test' }
    return lane.submit({ kind: submitAction, input: { type: 'TRANSFER_OUT', input } }, caller)
  }
  // What is submitted without a pause is one batch.
  const [before, after] = await Promise.all([pay(addMs(midnight, -1)), pay(midnight)])
  assert.deepEqual([before.status, after.status], [201, 201])
  await advance(platform, Math.ceil((midnight.getTime() - today.getTime()) / SECOND_MS))
  const usage = await usageOf(platform, agent.id)
  assert.equal(usage.dailySpend, 1_000)
  assert.equal(usage.dailyTransactionCount, 1)
})

test('ACT-6 racing payments of all kinds share one count', async () => {
  const { platform, account, to, agent, far, send } = await start({
    spendingLimits: { ...USD, dailyTransactionLimit: 7 },
  })
  const quotes = await times(15, async () => {
    const body = quoteBody({ from: account, to, amount: 1000 })
    return expectStatus(await agent.api.post('/agents/me/quotes', body), 201).id
  })
  const answers = await times(45, (index) => {
    const api = index % 2 ? far : agent.api
    if (index < 15) return api.post(`/agents/me/quotes/${quotes[index]}/execute`)
    if (index < 30) return send(index, 1000)
    return api.post('/agents/me/transfer-in', {
      source: { accountId: to },
      destination: { accountId: account },
      amount: 1000,
    })
  })
  assert.equal(accepted(answers).length, 7)
  for (const answer of refused(answers)) {
    const { reason } = expectError(answer, 403, 'FORBIDDEN')
    assert.equal(reason, 'DAILY_TRANSACTION_LIMIT_EXCEEDED')
  }
  assert.equal((await usageOf(platform, agent.id)).dailyTransactionCount, 7)
})

test('ACT-23 of racing approvals and rejections one decides, and money moves at most once', async () => {
  const { platform, account, agent, send } = await start({
    defaultExecutionMode: 'APPROVAL_REQUIRED',
  })
  const far = { ...platform, api: client(elsewhere, platform) }
  for (let round = 0; round < 4; round += 1) {
    const before = await balanceOf(platform, account)
    const action = expectStatus(await send(0, 1000), 201)
    const path = `/transactions/${action.transactionId}` as const
    const answers = await times(12, (index) => {
      const on = index % 2 ? far : platform
      if (index % 4 === 0) return approve(on, action)
      if (index % 4 === 1) return reject(on, action)
      return on.api.post(`${path}/${index % 4 === 2 ? 'approve' : 'reject'}`)
    })
    assert.equal(accepted(answers).length, 1)
    for (const answer of refused(answers)) {
      expectError(answer, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
    }
    const read = expectStatus(await agent.api.get(`/agents/me/actions/${action.id}`), 200)
    const { status } = await readTransaction(platform, action.transactionId)
    const moved = before - (await balanceOf(platform, account))
    if (read.status === 'APPROVED') assert.equal(moved, 1000)
    else {
      assert.equal(read.status, 'REJECTED')
      assert.equal(status, 'REJECTED')
      assert.equal(moved, 0)
    }
  }
})

test('ACT-10 of racing executions of one quote one is an action', async () => {
  const { platform, account, to, agent, far } = await start({})
  const body = quoteBody({ from: account, to, amount: 1000 })
  const quote = expectStatus(await agent.api.post('/agents/me/quotes', body), 201)
  const answers = await times(20, (index) =>
    (index % 2 ? far : agent.api).post(`/agents/me/quotes/${quote.id}/execute`),
  )
  const [first] = accepted(answers)
  assert.equal(accepted(answers).length, 1)
  for (const answer of refused(answers)) {
    assert.equal(expectError(answer, 409, 'CONFLICT')['actionId'], first?.body.id)
  }
  assert.equal((await usageOf(platform, agent.id)).dailyTransactionCount, 1)
})

test('ACT-12 racing requests under one key are one action', async () => {
  const { platform, account, to, agent, far } = await start({})
  const transfer = { source: { accountId: account }, destination: { accountId: to }, amount: 1000 }
  const headers = { 'idempotency-key': 'the one' }
  const answers = await times(20, (index) =>
    (index % 2 ? far : agent.api).post('/agents/me/transfer-out', transfer, { headers }),
  )
  const ids = new Set(accepted(answers).map(({ body }) => text(body.id)))
  assert.equal(ids.size, 1)
  for (const answer of refused(answers)) expectError(answer, 409, 'IDEMPOTENCY_KEY_IN_USE')
  assert.equal((await usageOf(platform, agent.id)).dailyTransactionCount, 1)
})

test('AGENT-14 of racing redeems one gets the token', async () => {
  const { platform, customerId } = await start({})
  const far = { ...platform, api: client(elsewhere, platform) }
  const { deviceCode } = await createAgent(platform, { customerId })
  const answers = await times(20, (index) => redeem(index % 2 ? far : platform, deviceCode.code))
  assert.equal(accepted(answers).length, 1)
  for (const answer of refused(answers)) {
    const { reason } = expectError(answer, 400, 'INVALID_INPUT')
    assert.equal(reason, 'DEVICE_CODE_ALREADY_REDEEMED')
  }
})

test('AGENT-10 a deletion among payments and approvals leaves nothing pending', async () => {
  const { platform, agent, send } = await start({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
  const actions = await times(6, async (index) => expectStatus(await send(index, 100), 201))
  const answers = await Promise.all([
    ...actions.slice(0, 3).map((action) => approve(platform, action)),
    platform.api.delete(`/agents/${agent.id}`),
    ...Array.from({ length: 10 }, (_, index) => send(index, 100)),
  ])
  for (const { status, text: body } of answers) {
    assert.ok([200, 201, 204, 401, 404, 409].includes(status), body)
  }
  const query = { agentId: agent.id }
  const left = expectStatus(await platform.api.get('/agents/approvals', { query }), 200)
  assert.equal(left.totalCount, 0)
})

test('AGENT-10 CORE-44 agents made while their customer is deleted are gone with it', async () => {
  const platform = await kit.platform()
  const far = { ...platform, api: client(elsewhere, platform) }
  for (let round = 0; round < 5; round += 1) {
    const { customerId } = await payer(platform, { funded: 0 })
    const [deleted, ...made] = await times(9, (index) => {
      const at = index % 2 ? platform : far
      return index === 0 ? at.api.delete(`/customers/${customerId}`) : postAgent(at, { customerId })
    })
    assert.equal(deleted?.status, 200)
    for (const answer of refused(made)) expectError(answer, 404, 'USER_NOT_FOUND')
    for (const answer of accepted(made)) {
      const { agent } = expectStatus(answer, 201)
      const later = await platform.api.get(`/agents/${agent.id}`)
      expectError(later, 404, 'REFERENCE_NOT_FOUND')
    }
  }
})
