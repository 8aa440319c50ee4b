import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, text, type Body } from '../../../../test/kit/api.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { balanceOf, payee, payer, quote } from '../../../../test/kit/payments.ts'
import { connectAgent, policyOf } from '../../../../test/kit/setups/agents.ts'

const kit = await startKit()
const p = await kit.platform()
const visitor = await (await openDashboard(kit)).signIn()

/** An agent with a transfer that waits for its platform. */
async function newWaiting() {
  const { customerId, account } = await payer(p)
  const policy = policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
  const agent = await connectAgent(p, { customerId, policy })
  const transfer = {
    source: { accountId: account },
    destination: { accountId: await payee(p, 'USD_ACCOUNT', { customerId }) },
    amount: 1_000,
  }
  const asked = await agent.api.post('/agents/me/transfer-out', transfer)
  return { agent, account, transfer, action: expectStatus(asked, 201) }
}

test('OPER-134 a paused agent is refused until it is resumed, and its page offers what fits', async () => {
  const { agent, transfer } = await newWaiting()
  const page = `/agents/${encodeURIComponent(agent.id)}`
  await operate(kit, `agents pause ${agent.id} --note`, 'too many payments')
  assert.equal((await agent.api.post('/agents/me/transfer-out', transfer)).status, 403)
  const paused = (await visitor.get(page)).text
  assert.match(paused, />\s*Resume\s*</)
  assert.doesNotMatch(paused, />\s*Pause\s*</)
  assert.equal((await visitor.post(`${page}/resume`)).status, 303)
  expectStatus(await agent.api.post('/agents/me/transfer-out', transfer), 201)
})

test('OPER-134 an operator decides an action for its platform once: money moves by approval alone', async () => {
  const approved = await newWaiting()
  const before = await balanceOf(p, approved.account)
  const path = `${approved.agent.id} ${approved.action.id}`
  const decided = await operate(kit, `agents approve ${path}`)
  assert.equal(text(decided['status']), 'APPROVED')
  assert.equal(await balanceOf(p, approved.account), before - 1_000)
  await assert.rejects(operate(kit, `agents approve ${path}`), {
    code: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
  })
  const rejected = await newWaiting()
  const page = `/agents/${encodeURIComponent(rejected.agent.id)}`
  const fields = { action: rejected.action.id, reason: 'not this payee' }
  assert.equal((await visitor.post(`${page}/reject`, fields)).status, 303)
  assert.equal(await balanceOf(p, rejected.account), before)
  const { actions } = await operate<{ actions: Body[] }>(kit, `agents show ${rejected.agent.id}`)
  assert.partialDeepStrictEqual(actions[0], {
    status: 'REJECTED',
    rejectionReason: 'not this payee',
  })
})

test('OPER-134 an action is found under its own agent only', async () => {
  const [one, other] = [await newWaiting(), await newWaiting()]
  await assert.rejects(operate(kit, `agents approve ${one.agent.id} ${other.action.id}`), {
    code: 'REFERENCE_NOT_FOUND',
  })
})

test('OPER-134 a quote ends before its time, and one that was executed stays as it is', async () => {
  const { customerId, account } = await payer(p)
  const to = await payee(p, 'USD_ACCOUNT', { customerId })
  const open = expectStatus(await quote(p, { from: account, to, amount: 1_000 }), 201)
  const page = `/quotes/${encodeURIComponent(open.id)}`
  assert.equal((await visitor.post(`${page}/expire`, { note: 'wrong price' })).status, 303)
  assert.equal(expectStatus(await p.api.get(`/quotes/${open.id}`), 200).status, 'EXPIRED')
  assert.equal(
    expectStatus(await p.api.post(`/quotes/${open.id}/execute`, {}), 409).code,
    'QUOTE_EXPIRED',
  )
  const { data } = expectStatus(await p.api.get(`/timeline/${open.id}`), 200)
  assert.ok(
    data.every(({ kind }) => kind !== 'DUE'),
    'nothing waits for it any more',
  )
  const asked = { from: account, to, amount: 1_000, immediatelyExecute: true }
  const executed = expectStatus(await quote(p, asked), 201)
  await assert.rejects(operate(kit, `quotes expire ${executed.id}`), {
    code: 'CONFLICT',
    details: { status: 'COMPLETED' },
  })
})
