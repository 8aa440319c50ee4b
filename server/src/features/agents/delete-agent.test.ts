import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { APPROVAL, newScene, send, statusOf } from '../../../test/kit/agent-scenes.ts'
import { expectStatus, type Body } from '../../../test/kit/api.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { watchRoundTrips } from '../../../test/kit/round-trips.ts'

const kit = await startKit()
const watch = watchRoundTrips()
after(() => watch.stop())

async function deleteAgentWith(count: number): Promise<number> {
  const scene = await newScene(kit, APPROVAL)
  const { platform, agent } = scene
  const waiting: Body[] = []
  for (let n = 0; n < count; n += 1) waiting.push(expectStatus(await send(scene), 201))
  expectStatus(await platform.api.delete(`/agents/${agent.id}`), 204)
  const statements = watch.transactionWith(/update agent_actions/).flat().length
  for (const action of waiting) assert.equal(await statusOf(scene, action), 'REJECTED')
  return statements
}

test('AGENT-10 many actions that wait are rejected by as many statements as one', async () => {
  assert.equal(await deleteAgentWith(6), await deleteAgentWith(1))
})
