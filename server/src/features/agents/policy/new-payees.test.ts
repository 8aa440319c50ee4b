import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Quote } from '../../../../../sdk/src/index.ts'
import {
  advance,
  newQuote,
  newAgentSetup,
  pull,
  run,
  send,
  type AgentSetup,
} from '../../../../test/kit/setups/agent-setups.ts'
import { connectAgent, policyOf, postAgent, setPolicy } from '../../../../test/kit/setups/agents.ts'
import { expectFields, expectStatus, type Shown } from '../../../../test/kit/api.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import { startKit } from '../../../../test/kit/florin.ts'

const kit = await startKit()
const HOUR_SECONDS = 3600

/** An external account that the agent makes itself. */
async function ownPayee({ agent }: AgentSetup, accountNumber = '123456001'): Promise<string> {
  const body = externalAccountBody('USD_ACCOUNT', { accountNumber })
  return expectStatus(await agent.api.post('/agents/me/external-accounts', body), 201).id
}

const lifeOf = (quoted: Shown<Quote>): number =>
  (Date.parse(quoted.expiresAt) - Date.parse(quoted.createdAt)) / 1000

test('ACT-31 ACT-5 a payment to an account that an agent created needs approval for a day', async () => {
  const fixture = await newAgentSetup(kit)
  const { platform, customerId } = fixture
  const to = await ownPayee(fixture)
  const own = { ...fixture, to }
  const sent = async (): Promise<unknown> => expectStatus(await send(own), 201).status
  const executed = async (): Promise<unknown> =>
    expectStatus(await run(own, expectStatus(await newQuote(own), 201)), 200).status
  assert.equal(await sent(), 'PENDING_APPROVAL')
  assert.equal(await executed(), 'PENDING_APPROVAL')
  assert.equal(expectStatus(await pull(own), 201).status, 'APPROVED', 'nothing leaves')
  const registered = expectStatus(await send(fixture), 201)
  assert.equal(registered.status, 'APPROVED', 'the platform registered it')
  const sibling = await connectAgent(platform, { customerId })
  const byOther = await send({ ...own, agent: sibling })
  assert.equal(expectStatus(byOther, 201).status, 'PENDING_APPROVAL')
  await advance(fixture, 23 * HOUR_SECONDS)
  assert.equal(await sent(), 'PENDING_APPROVAL')
  await advance(fixture, HOUR_SECONDS)
  assert.equal(await sent(), 'APPROVED')
  assert.equal(await executed(), 'APPROVED')
})

test('ACT-31 AGENT-6 the policy says how long a payee is new, and zero that none is', async () => {
  const fixture = await newAgentSetup(kit, { approvalThresholds: { newPayeeHours: 1 } })
  const { platform, agent } = fixture
  const own = { ...fixture, to: await ownPayee(fixture) }
  const sent = async (): Promise<unknown> => expectStatus(await send(own), 201).status
  const set = async (newPayeeHours: number | null) =>
    expectStatus(
      await setPolicy(platform, agent.id, { approvalThresholds: { newPayeeHours } }),
      200,
    ).policy
  assert.equal(await sent(), 'PENDING_APPROVAL')
  const off = await set(0)
  assert.deepEqual(off.approvalThresholds, { newPayeeHours: 0 })
  assert.equal(await sent(), 'APPROVED')
  await set(2)
  await advance(fixture, HOUR_SECONDS)
  assert.equal(await sent(), 'PENDING_APPROVAL')
  await advance(fixture, HOUR_SECONDS)
  assert.equal(await sent(), 'APPROVED')
  const cleared = await set(null)
  assert.deepEqual(cleared.approvalThresholds, {})
  assert.equal(await sent(), 'PENDING_APPROVAL', '24 hours where nothing is set')
})

test('AGENT-4 newPayeeHours is a whole number from 0 to 8,760', async () => {
  const { platform, customerId } = await newAgentSetup(kit)
  const post = (newPayeeHours: unknown) =>
    postAgent(platform, { customerId, policy: policyOf({ approvalThresholds: { newPayeeHours } }) })
  for (const wrong of [-1, 8761, 1.5, '24', true]) {
    expectFields(await post(wrong), ['policy.approvalThresholds.newPayeeHours'])
  }
  for (const right of [0, 8760]) expectStatus(await post(right), 201)
})

test('ACT-29 QUOTE-10 a quote that needs approval holds its price for an hour, any other 300 s', async () => {
  const fixture = await newAgentSetup(kit, {
    approvalThresholds: { currency: 'USD', amount: 1000 },
  })
  const { platform, agent, account } = fixture
  const life = async (of: AgentSetup, amount = 1000): Promise<number> =>
    lifeOf(expectStatus(await newQuote(of, { amount }), 201))
  assert.equal(await life(fixture), 300, 'at the threshold')
  assert.equal(await life(fixture, 1001), 3600, 'above it')
  const own = { ...fixture, to: await ownPayee(fixture) }
  assert.equal(await life(own), 3600, 'a new payee')
  const before = expectStatus(await newQuote(fixture), 201)
  const mode = { defaultExecutionMode: 'APPROVAL_REQUIRED' }
  expectStatus(await setPolicy(platform, agent.id, mode), 200)
  const after = expectStatus(await agent.api.get(`/agents/me/quotes/${before.id}`), 200)
  assert.equal(after.expiresAt, before.expiresAt, 'a later policy moves nothing')
  assert.equal(expectStatus(await run(fixture, before), 200).status, 'PENDING_APPROVAL')
  assert.equal(await life(fixture), 3600, 'the mode')
  const accountRules = [{ accountId: account, executionMode: 'AUTO' }]
  expectStatus(await setPolicy(platform, agent.id, { accountRestrictions: { accountRules } }), 200)
  assert.equal(await life(fixture), 300, 'the account’s own mode')
})
