import { newId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer, lockCustomer } from '../../customers/index.ts'
import type { Agent } from './agent.ts'
import { mustBeValidPolicy } from '../policy/check-policy.ts'
import { issueDeviceCode, type IssuedCode } from '../device-code/issue-device-code.ts'
import { toPolicy } from '../policy/policy.ts'
import type { AgentPolicyBody } from '../schema.ts'
import { insertAgent } from './store.ts'
import { noUsage } from '../policy/usage.ts'

export type AgentToCreate = Readonly<{
  name: string
  customerId: Id<'customer'>
  policy: AgentPolicyBody
}>

/** Creates an agent of a customer, and a device code to connect it. Fails: INVALID_INPUT, USER_NOT_FOUND. */
export async function createAgent(
  work: Work,
  { name, customerId, policy: body }: AgentToCreate,
): Promise<Readonly<{ agent: Agent; deviceCode: IssuedCode }>> {
  const { tx, platform, now } = work
  const policy = toPolicy(body)
  const customer = await findCustomer(work, customerId)
  const isLive = customer !== undefined && !customer.isDeleted
  await mustBeValidPolicy(work, {
    policy: body,
    customerId: isLive ? customerId : undefined,
    at: 'policy.',
  })
  // A concurrent deletion of the customer waits for this lock, and then deletes this agent, too (AGENT-10).
  await lockCustomer(work, customerId)
  const agent: Agent = {
    id: newId('agent'),
    customerId,
    name: name.trim(),
    isPaused: false,
    token: null,
    policy,
    usage: noUsage(now),
    createdAt: now,
    updatedAt: now,
  }
  await insertAgent(tx, platform.id, agent)
  return { agent, deviceCode: await issueDeviceCode(work, agent.id) }
}
