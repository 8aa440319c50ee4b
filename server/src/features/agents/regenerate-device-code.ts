import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { mustLockAgent } from './find-agent.ts'
import { issueDeviceCode, type IssuedCode } from './issue-device-code.ts'

/** Another code in place of those that nobody redeemed. Fails: REFERENCE_NOT_FOUND, CONFLICT (AGENT-18). */
export async function regenerateDeviceCode(work: Work, agentId: Id<'agent'>): Promise<IssuedCode> {
  const { isConnected } = await mustLockAgent(work, agentId)
  if (isConnected) fail('CONFLICT', { reason: 'AGENT_CONNECTED' })
  return issueDeviceCode(work, agentId)
}
