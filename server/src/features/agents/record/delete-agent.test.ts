import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AgentAction } from '../../../../../sdk/src/index.ts'
import {
  APPROVAL,
  newAgentSetup,
  send,
  statusOf,
} from '../../../../test/kit/setups/agent-setups.ts'
import { expectStatus, type Shown } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { watchRoundTrips } from '../../../../test/kit/database/round-trips.ts'

const kit = await startOwnKit()
const watch = watchRoundTrips()
after(() => watch.stop())

async function deleteAgentWith(count: number): Promise<number> {
  const setup = await newAgentSetup(kit, APPROVAL)
  const { platform, agent } = setup
  const waiting: Shown<AgentAction>[] = []
  for (let n = 0; n < count; n += 1) waiting.push(expectStatus(await send(setup), 201))
  expectStatus(await platform.api.delete(`/agents/${agent.id}`), 204)
  const statements = watch.transactionWith(/update agent_actions/).flat().length
  for (const action of waiting) assert.equal(await statusOf(setup, action), 'REJECTED')
  return statements
}

test('AGENT-10 many waiting actions are rejected by as many statements as one', async () => {
  assert.equal(await deleteAgentWith(6), await deleteAgentWith(1))
})
