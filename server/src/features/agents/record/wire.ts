import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { usageToWire } from '../policy/usage.ts'
import type { AgentBody } from '../schema.ts'
import { isConnectedAt, type Agent } from './agent.ts'

export function agentToWire(agent: Agent, now: Date): AgentBody {
  return {
    id: formatId('agent', agent.id),
    name: agent.name,
    customerId: formatId('customer', agent.customerId),
    isPaused: agent.isPaused,
    isConnected: isConnectedAt(agent, now),
    policy: agent.policy,
    usage: usageToWire(agent.usage, now),
    createdAt: toWireTime(agent.createdAt),
    updatedAt: toWireTime(agent.updatedAt),
  }
}
