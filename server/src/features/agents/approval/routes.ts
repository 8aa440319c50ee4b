import { Type, type Static } from '../../../infra/http/schema/type.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { read, write, type Operation } from '../../../infra/http/operation.ts'
import { reply } from '../../../infra/http/reply.ts'
import { pathId } from '../../../infra/http/schema/wire-schema.ts'
import { checkRange } from '../../transactions/index.ts'
import { approveAction, rejectAction } from './decide-action.ts'
import { listApprovals } from '../actions/list-actions.ts'
import {
  ActionListSchema,
  ActionRejectSchema,
  ActionSchema,
  ApprovalsQuerySchema,
} from '../schema.ts'
import { showChanged } from '../actions/show-actions.ts'

const tag = 'Agent Management'
const params = Type.Object({
  agentId: pathId('Id of the agent, `Agent:<uuid>`.'),
  actionId: pathId('Id of the action, `AgentAction:<uuid>`.'),
})

const idsIn = ({ agentId, actionId }: Static<typeof params>) => ({
  agentId: mustParseId('agent', agentId),
  actionId: mustParseId('agentAction', actionId),
})

export const approvalRoutes: readonly Operation[] = [
  read({
    id: 'listAgentApprovals',
    path: '/agents/approvals',
    tag,
    needs: 'VIEW',
    summary: 'List what waits for approval',
    description: 'With `status`, actions that were decided.',
    query: ApprovalsQuerySchema,
    replies: { 200: ActionListSchema },
    errors: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND'],
    check: ({ query }) => checkRange(query as Record<string, unknown>),
    handler: async ({ work, query }) => {
      const page = await listApprovals(work, query)
      return reply(200, { ...page, data: [...page.data] })
    },
  }),
  write({
    id: 'approveAgentAction',
    method: 'POST',
    path: '/agents/{agentId}/actions/{actionId}/approve',
    tag,
    needs: 'TRANSACT',
    summary: 'Approve an action',
    description: 'Everything is judged again as it is now: an action that cannot run is `FAILED`.',
    params,
    replies: { 200: ActionSchema },
    errors: ['REFERENCE_NOT_FOUND', 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
    settlesAtOnce: true,
    handler: async ({ work, params }) => {
      const decided = await approveAction(work, idsIn(params))
      return 'ok' in decided ? decided : reply(200, await showChanged(work, decided))
    },
  }),
  write({
    id: 'rejectAgentAction',
    method: 'POST',
    path: '/agents/{agentId}/actions/{actionId}/reject',
    tag,
    needs: 'TRANSACT',
    summary: 'Reject an action',
    description: 'Nothing moves; the agent sees the reason.',
    params,
    body: ActionRejectSchema,
    bodyOptional: true,
    replies: { 200: ActionSchema },
    errors: ['REFERENCE_NOT_FOUND', 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
    handler: async ({ work, params, body: { reason } }) => {
      const decided = await rejectAction(work, idsIn(params), reason)
      return 'ok' in decided ? decided : reply(200, await showChanged(work, decided))
    },
  }),
]
