import { addMs, toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isConnectedAt } from '../record/agent.ts'
import { mustLockAgent } from '../record/find-agent.ts'
import { DEVICE_CODE_LIFETIME_MS, digestDeviceCode, newDeviceCode } from './code.ts'
import { replaceDeviceCode } from './store.ts'

export type IssuedCode = Readonly<{ code: string; agentId: Id<'agent'>; expiresAt: Date }>

/**
 * Replaces the unredeemed codes of an agent by a new one, also after the agent's token has expired (AGENT-18).
 * Fails: REFERENCE_NOT_FOUND, CONFLICT.
 */
export async function regenerateDeviceCode(work: Work, agentId: Id<'agent'>): Promise<IssuedCode> {
  const agent = await mustLockAgent(work, agentId)
  if (isConnectedAt(agent, work.now)) fail('CONFLICT', { reason: 'AGENT_CONNECTED' })
  return issueDeviceCode(work, agentId)
}

/** Issues a code by which a program becomes this agent. The code is answered once; only its digest is stored. */
export async function issueDeviceCode(
  { tx, platform, now }: Work,
  agentId: Id<'agent'>,
): Promise<IssuedCode> {
  const code = newDeviceCode()
  const expiresAt = addMs(now, DEVICE_CODE_LIFETIME_MS)
  await replaceDeviceCode(tx, platform.id, {
    digest: digestDeviceCode(code),
    agentId,
    createdAt: now,
    expiresAt,
  })
  return { code, agentId, expiresAt }
}

export const deviceCodeToWire = ({ code, agentId, expiresAt }: IssuedCode) => ({
  code,
  agentId: formatId('agent', agentId),
  expiresAt: toWireTime(expiresAt),
  redeemed: false,
})
