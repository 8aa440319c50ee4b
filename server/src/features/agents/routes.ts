import { Type, type Static } from '../../infra/http/schema/type.ts'
import { checkName } from '../../kernel/text/check-name.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { mustParseId, parseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { noContent, reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { approvalRoutes } from './approval/routes.ts'
import { checkNewPolicy, checkPolicyChange } from './policy/check-policy.ts'
import { createAgent } from './record/create-agent.ts'
import { deleteAgent } from './record/delete-agent.ts'
import { deviceCodeToWire } from './device-code/issue-device-code.ts'
import { deviceCodeRoutes } from './device-code/routes.ts'
import { mustFindAgent } from './record/find-agent.ts'
import { listAgents } from './record/list-agents.ts'
import { ownAccountRoutes } from './own-api/account-routes.ts'
import { ownRoutes } from './own-api/routes.ts'
import { policyErrors } from './policy/policy.ts'
import {
  AgentCreateResponseSchema,
  AgentCreateSchema,
  AgentListSchema,
  AgentPolicyUpdateSchema,
  AgentSchema,
  AgentsQuerySchema,
  AgentUpdateSchema,
} from './schema.ts'
import { updateAgent, updatePolicy } from './record/update-agent.ts'
import { agentToWire } from './record/wire.ts'

const tag = 'Agent Management'
const params = Type.Object({ agentId: pathId('Id of the agent, `Agent:<uuid>`.') })
const idIn = ({ agentId }: Static<typeof params>) => mustParseId('agent', agentId)

/** A change of nothing is refused (AGENT-8). Accepts unvalidated input. */
function checkSomeField(body: unknown, fields: readonly string[]): FieldError[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  if (fields.some((field) => Object.hasOwn(body, field))) return []
  return [{ field: '', message: `must have at least one of ${fields.join(', ')}` }]
}

const managementRoutes: readonly Operation[] = [
  write({
    id: 'createAgent',
    method: 'POST',
    path: '/agents',
    tag,
    needs: 'MANAGE',
    summary: 'Create an agent',
    description: 'Answers with a device code by which a program becomes this agent, within a day.',
    body: AgentCreateSchema,
    example: {
      name: 'Payroll assistant',
      customerId: 'Customer:0199e7a5-0000-7000-8000-000000000001',
      policy: {
        permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS'],
        defaultExecutionMode: 'AUTO',
        spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: 200_000 },
        approvalThresholds: { currency: 'USD', amount: 10_000 },
      },
    },
    replies: { 201: AgentCreateResponseSchema },
    errors: ['USER_NOT_FOUND'],
    check: ({ body }) => [
      ...checkName(body),
      ...policyErrors((Object(body) as { policy?: unknown }).policy, { at: 'policy.' }),
    ],
    checkStored: ({ body }, where) => checkNewPolicy(where, body),
    auditResource: ({ agent }) => agent.id,
    // The answer holds a device code.
    sealStoredReply: true,
    handler: async ({ work, body: { name, customerId, policy } }) => {
      const request = { name, customerId: mustParseId('customer', customerId), policy }
      const { agent, deviceCode } = await createAgent(work, request)
      return reply(201, {
        agent: agentToWire(agent, work.now),
        deviceCode: deviceCodeToWire(deviceCode),
      })
    },
  }),
  read({
    id: 'listAgents',
    path: '/agents',
    tag,
    needs: 'VIEW',
    summary: 'List agents',
    description: 'Newest first. All filters combine.',
    query: AgentsQuerySchema,
    replies: { 200: AgentListSchema },
    errors: ['USER_NOT_FOUND'],
    handler: async ({ work, query }) => {
      const page = await listAgents(work, query)
      return reply(200, { ...page, data: page.data.map((agent) => agentToWire(agent, work.now)) })
    },
  }),
  read({
    id: 'getAgentById',
    path: '/agents/{agentId}',
    tag,
    needs: 'VIEW',
    summary: 'Read an agent',
    description: 'Its policy, how much of its limits is used, and whether a program is connected.',
    params,
    replies: { 200: AgentSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params }) =>
      reply(200, agentToWire(await mustFindAgent(work, idIn(params)), work.now)),
  }),
  write({
    id: 'updateAgent',
    method: 'PATCH',
    path: '/agents/{agentId}',
    tag,
    needs: 'MANAGE',
    summary: 'Rename or pause an agent',
    description: 'A paused agent may read. What waits for approval goes on waiting.',
    params,
    body: AgentUpdateSchema,
    example: { isPaused: true },
    replies: { 200: AgentSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    check: ({ body }) => [...checkSomeField(body, ['name', 'isPaused']), ...checkName(body)],
    handler: async ({ work, params, body }) =>
      reply(200, agentToWire(await updateAgent(work, idIn(params), body), work.now)),
  }),
  write({
    id: 'deleteAgent',
    method: 'DELETE',
    path: '/agents/{agentId}',
    tag,
    needs: 'MANAGE',
    summary: 'Delete an agent',
    description: 'Its token stops working at once, and what waits for approval is rejected.',
    params,
    replies: { 204: null },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params }) => {
      await deleteAgent(work, idIn(params))
      return noContent()
    },
  }),
  write({
    id: 'updateAgentPolicy',
    method: 'PATCH',
    path: '/agents/{agentId}/policy',
    tag,
    needs: 'MANAGE',
    summary: "Change an agent's policy",
    description:
      'Lists replace, objects merge, null clears. It binds from the next decision on, also for what waits for approval.',
    params,
    body: AgentPolicyUpdateSchema,
    example: { permissions: ['VIEW_TRANSACTIONS'] },
    replies: { 200: AgentSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    check: ({ body }) => checkSomeField(body, Object.keys(AgentPolicyUpdateSchema.properties)),
    checkStored: ({ params: { agentId }, body }, where) =>
      checkPolicyChange(where, parseId('agent', agentId), body),
    handler: async ({ work, params, body }) =>
      reply(200, agentToWire(await updatePolicy(work, idIn(params), body), work.now)),
  }),
]

export const routes: readonly Operation[] = [
  ...managementRoutes,
  ...deviceCodeRoutes,
  ...approvalRoutes,
  ...ownRoutes,
  ...ownAccountRoutes,
]
