import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { defineCommand, record } from '../../command.ts'
import { newestOptions, newestPage } from '../../queries/newest-page.ts'
import { listNewestAgents } from '../../queries/newest-store.ts'

export const AGENT_STATUSES = ['ACTIVE', 'PAUSED'] as const

export const listAgents = defineCommand({
  name: 'agents list',
  access: { roles: ['VIEWER'] },
  about: 'Agents of one platform or of all, newest first, with the actions that wait for approval.',
  options: newestOptions(AGENT_STATUSES),
  answers: Type.Array(
    record({
      agentId: idField('agent'),
      platformId: idField('platform'),
      customerId: idField('customer'),
      name: Type.String(),
      status: Type.String(),
      pendingActions: Type.Integer(),
      createdAt: timestamp(),
    }),
  ),
  async run(deps, input) {
    const page = newestPage(deps, input, { kind: 'agent', statuses: AGENT_STATUSES })
    return (await listNewestAgents(deps.db.read, page)).map((agent) => ({
      agentId: formatId('agent', agent.id),
      platformId: formatId('platform', agent.platformId),
      customerId: formatId('customer', agent.customerId),
      name: agent.name,
      status: agent.isPaused ? 'PAUSED' : 'ACTIVE',
      pendingActions: agent.pendingActions,
      createdAt: toWireTime(agent.createdAt),
    }))
  },
})
