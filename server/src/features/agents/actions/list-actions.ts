import { parseWireTime, toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Page, SortOrder } from '../../../kernel/page.ts'
import { openPage } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer } from '../../customers/index.ts'
import { countActions, findAction, listActions, type ActionFilters } from './store.ts'
import { findAgent } from '../record/store.ts'
import type { ActionBody, ApprovalsQuery, OwnActionsQuery } from '../schema.ts'
import { showActions } from './show-actions.ts'

/**
 * Lists actions of the platform's agents: those that wait for approval, unless `status` names others (ACT-27).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, INVALID_INPUT on a cursor of another list.
 */
export async function listApprovals(work: Work, query: ApprovalsQuery): Promise<Page<ActionBody>> {
  const { limit: _limit, cursor: _cursor, ...filters } = query
  const { agentId, customerId, status = 'PENDING_APPROVAL', sortOrder = 'desc' } = query
  return listPage(work, {
    paging: openPage(work, { list: 'agents/approvals', query, filters }),
    filters: {
      agentId: await mustKnowAgent(work, agentId),
      customerId: await mustKnowCustomer(work, customerId),
      status,
      now: work.now,
      startAt: parseWireTime(query.startDate ?? ''),
      endAt: parseWireTime(query.endDate ?? ''),
    },
    sortOrder,
  })
}

/** Lists an agent's own actions, newest first (ACT-16). Fails: INVALID_INPUT on a cursor of another list. */
export function listOwnActions(
  work: Work,
  agentId: Id<'agent'>,
  query: OwnActionsQuery,
): Promise<Page<ActionBody>> {
  const { status } = query
  return listPage(work, {
    paging: openPage(work, { list: 'agents/me/actions', query, filters: { agentId, status } }),
    filters: { agentId, status, now: work.now },
    sortOrder: 'desc',
  })
}

/** Reads an agent's own action. Fails: REFERENCE_NOT_FOUND. */
export async function showOwnAction(
  work: Work,
  agentId: Id<'agent'>,
  id: Id<'agentAction'>,
): Promise<ActionBody> {
  const action = await findAction(work.tx, work.platform.id, id)
  if (action?.agentId !== agentId) return failNotFound('agentAction')
  const [shown] = await showActions(work, [action])
  return shown ?? failNotFound('agentAction')
}

type Listing = Readonly<{
  paging: ReturnType<typeof openPage>
  filters: ActionFilters
  sortOrder: SortOrder
}>

async function listPage(
  work: Work,
  { paging, filters, sortOrder }: Listing,
): Promise<Page<ActionBody>> {
  const { tx, platform } = work
  const [createdAt = '', id = ''] = paging.after ?? []
  const after = paging.after && ([createdAt, id] as const)
  const [rows, totalCount] = await Promise.all([
    listActions(tx, platform.id, { filters, sortOrder, after, fetch: paging.fetch }),
    countActions(tx, platform.id, filters),
  ])
  const page = paging.page(rows, {
    item: (action) => action,
    position: (action) => [toWireTime(action.createdAt), action.id],
  })
  return { ...page, data: await showActions(work, page.data), totalCount }
}

/** A filter by an unknown agent is refused; a deleted agent is known (CORE-4). */
async function mustKnowAgent(
  { tx, platform }: Work,
  text: string | undefined,
): Promise<Id<'agent'> | undefined> {
  if (text === undefined) return undefined
  const id = mustParseId('agent', text)
  return (await findAgent(tx, platform.id, id)) ? id : failNotFound('agent')
}

async function mustKnowCustomer(
  work: Work,
  text: string | undefined,
): Promise<Id<'customer'> | undefined> {
  if (text === undefined) return undefined
  const id = mustParseId('customer', text)
  return (await findCustomer(work, id)) ? id : failNotFound('customer')
}
