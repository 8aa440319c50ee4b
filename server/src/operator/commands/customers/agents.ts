import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import {
  ActionSchema,
  AgentSchema,
  agentToWire,
  listOwnActions,
  mustFindAgent,
} from '../../../features/agents/index.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { defineCommand, onlyWord, record } from '../../command.ts'
import { readInPlatform } from '../../in-platform.ts'
import { newestOptions, newestPage } from '../../queries/newest-page.ts'
import { findPlatformOfAgent, listNewestAgents } from '../../queries/newest-store.ts'

export const AGENT_STATUSES = ['ACTIVE', 'PAUSED'] as const

const list = defineCommand({
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
  async run(deps, given) {
    const page = newestPage(deps, given, { kind: 'agent', statuses: AGENT_STATUSES })
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

const show = defineCommand({
  name: 'agents show',
  access: { roles: ['VIEWER'] },
  about: 'One agent with its policy, what it has used of it, and its newest actions.',
  takes: ['agentId'],
  answers: record({
    platformId: idField('platform'),
    agent: AgentSchema,
    actions: Type.Array(ActionSchema),
  }),
  async run(deps, given) {
    const id = mustParseId('agent', onlyWord(given, 'agentId'))
    const owner = await visibleOwner(deps, findPlatformOfAgent(deps.db.read, id))
    return readInPlatform(deps, owner ?? failNotFound('agent'), async (work) => ({
      platformId: formatId('platform', work.platform.id),
      agent: agentToWire(await mustFindAgent(work, id), work.now),
      actions: (await listOwnActions(work, id, {})).data,
    }))
  },
})

export const agentCommands = { list, show }
