import { parseWireTime } from '../../../kernel/clock.ts'
import { failNotFound, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Page, SortOrder } from '../../../kernel/page.ts'
import { openPage, pageByCreation, type Paging } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustKnowCustomer } from '../../customers/index.ts'
import { countActions, findAction, listActions, type ActionFilters } from './store.ts'
import { findAgent } from '../record/store.ts'
import type { ActionBody, ApprovalsQuery, OwnActionsQuery } from '../schema.ts'
import { showActions } from './show-actions.ts'

/**
 * Lists actions of the platform's agents: those that wait for approval, unless `status` names others (ACT-27).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, INVALID_INPUT on a cursor of another list.
 */
export async function listApprovals(work: Work, query: ApprovalsQuery): Promise<Page<ActionBody>> {
  const { agentId, customerId, status = 'PENDING_APPROVAL', sortOrder = 'desc' } = query
  return listPage(work, {
    paging: openPage(work, { list: 'agents/approvals', query }),
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
    paging: openPage(work, { list: 'agents/me/actions', query, narrowedTo: { agentId } }),
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
  paging: Paging
  filters: ActionFilters
  sortOrder: SortOrder
}>

async function listPage(
  work: Work,
  { paging, filters, sortOrder }: Listing,
): Promise<Page<ActionBody>> {
  const { tx, platform } = work
  const found = await pageByCreation(paging, {
    rows: (page) => listActions(tx, platform.id, { filters, sortOrder, ...page }),
    count: () => countActions(tx, platform.id, filters),
  })
  return { ...found, data: await showActions(work, found.data) }
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
