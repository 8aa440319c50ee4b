import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  advance,
  APPROVAL,
  newQuote,
  newAgentSetup,
  send,
} from '../../../../test/kit/setups/agent-setups.ts'
import { approve, bearer, redeem } from '../../../../test/kit/setups/agents.ts'
import { expectError, expectStatus } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { loadSettings, SettingsError } from '../../../infra/settings/settings.ts'

const kit = await startOwnKit({ QUOTE_TTL_APPROVAL_SECONDS: '600', AGENT_TOKEN_TTL_DAYS: '2' })
const DAY_SECONDS = 86_400

test('ACT-29 AGENT-16 CORE-82 both lifetimes are settings with bounds', () => {
  const given = (name: string, value: string) => () => loadSettings({ [name]: value })
  for (const value of ['299', '86401', 'x']) {
    assert.throws(given('QUOTE_TTL_APPROVAL_SECONDS', value), SettingsError)
  }
  for (const value of ['0', '366', '1.5']) {
    assert.throws(given('AGENT_TOKEN_TTL_DAYS', value), SettingsError)
  }
  const { quoteTtlApprovalSeconds, agentTokenTtlDays } = loadSettings({})
  assert.deepEqual([quoteTtlApprovalSeconds, agentTokenTtlDays], [3600, 90])
})

test('ACT-29 a setting decides how long a price waits for approval', async () => {
  const quoted = expectStatus(await newQuote(await newAgentSetup(kit, APPROVAL)), 201)
  const lifeMs = Date.parse(quoted.expiresAt) - Date.parse(quoted.createdAt)
  assert.equal(lifeMs, 600_000)
})

test('AGENT-16 AGENT-18 a token ends, the agent stays, and another code connects it again', async () => {
  const fixture = await newAgentSetup(kit, APPROVAL)
  const { platform, agent } = fixture
  const codes = `/agents/${agent.id}/device-codes` as const
  const read = async () => expectStatus(await platform.api.get(`/agents/${agent.id}`), 200)
  const listed = async (isConnected: boolean): Promise<number> => {
    const query = { isConnected }
    return expectStatus(await platform.api.get('/agents', { query }), 200).data.length
  }
  const action = expectStatus(await send(fixture), 201)
  await advance(fixture, 2 * DAY_SECONDS - 60)
  expectStatus(await agent.api.get('/agents/me'), 200)
  expectError(await platform.api.post(codes), 409, 'CONFLICT')
  assert.deepEqual([await listed(true), await listed(false)], [1, 0])
  const before = await read()
  assert.equal(before.isConnected, true)
  await advance(fixture, 60)
  const ended = await agent.api.get('/agents/me')
  const unknown = await bearer(platform.api, `agt_${'x'.repeat(43)}`).get('/agents/me')
  expectError(ended, 401, 'UNAUTHORIZED')
  assert.deepEqual(ended.body, unknown.body)
  const after = await read()
  assert.equal(after.isConnected, false)
  assert.deepEqual(after.policy, before.policy)
  assert.deepEqual([await listed(true), await listed(false)], [0, 1])
  assert.equal(expectStatus(await approve(platform, action), 200).status, 'APPROVED')
  const { code } = expectStatus(await platform.api.post(codes), 201)
  const { accessToken, agentId } = expectStatus(await redeem(platform, code), 200)
  assert.equal(agentId, agent.id)
  const renewed = { ...fixture, agent: { ...agent, api: bearer(platform.api, accessToken) } }
  assert.equal(expectStatus(await send(renewed), 201).status, 'PENDING_APPROVAL')
  expectError(await agent.api.get('/agents/me'), 401, 'UNAUTHORIZED')
  assert.equal((await read()).isConnected, true)
})
