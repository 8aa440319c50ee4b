import { digestSecret, newSecret } from '../../../crypto/secret-hash.ts'
import { addMs, DAY_MS, isPast } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { failNotFound } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Agent } from '../record/agent.ts'
import { digestDeviceCode } from './code.ts'
import { findDeviceCode, markRedeemed, type DeviceCode } from './store.ts'
import { mustLockAgent } from '../record/find-agent.ts'
import { saveToken } from '../record/store.ts'

export type Redeemed = Readonly<{ agent: Agent; accessToken: string }>

/**
 * Turns a device code into the agent's access token, once (AGENT-12 to AGENT-16). The token is answered once; only its
 * digest is stored. Fails: REFERENCE_NOT_FOUND, INVALID_INPUT with the reason.
 */
export async function redeemDeviceCode(work: Work, code: string): Promise<Redeemed> {
  const { tx, platform, now } = work
  const digest = digestDeviceCode(code)
  const { agentId } = (await findDeviceCode(tx, platform.id, digest)) ?? failNotFound('agent')
  const agent = await mustLockAgent(work, agentId)
  // Read again under the lock: of racing requests only one finds the code unredeemed.
  const found = (await findDeviceCode(tx, platform.id, digest)) ?? failNotFound('agent')
  mustBeRedeemable(found, now)
  const accessToken = `agt_${newSecret()}`
  const expiresAt = addMs(now, work.settings.agentTokenTtlDays * DAY_MS)
  const tokenDigest = digestSecret(accessToken)
  await saveToken(tx, platform.id, { id: agentId, tokenDigest, expiresAt, at: now })
  await markRedeemed(tx, platform.id, { digest, at: now })
  await work.react('agents.changed', { agentIds: [agentId] })
  return { agent, accessToken }
}

function mustBeRedeemable({ redeemedAt, supersededAt, expiresAt }: DeviceCode, now: Date): void {
  if (redeemedAt) fail('INVALID_INPUT', { reason: 'DEVICE_CODE_ALREADY_REDEEMED' })
  if (supersededAt || isPast({ deadline: expiresAt, now })) {
    fail('INVALID_INPUT', { reason: 'DEVICE_CODE_EXPIRED' })
  }
}
