import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { isConnectedAt } from '../record/agent.ts'
import { mustLockAgent } from '../record/find-agent.ts'
import { issueDeviceCode, type IssuedCode } from './issue-device-code.ts'

/**
 * Another code in place of those that nobody redeemed, also once the agent's token has ended (AGENT-18).
 * Fails: REFERENCE_NOT_FOUND, CONFLICT.
 */
export async function regenerateDeviceCode(work: Work, agentId: Id<'agent'>): Promise<IssuedCode> {
  const agent = await mustLockAgent(work, agentId)
  if (isConnectedAt(agent, work.now)) fail('CONFLICT', { reason: 'AGENT_CONNECTED' })
  return issueDeviceCode(work, agentId)
}
