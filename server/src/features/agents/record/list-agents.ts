import { parseWireTime, toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, mustParseId } from '../../../kernel/ids.ts'
import type { Page } from '../../../kernel/page.ts'
import { openPage } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer } from '../../customers/index.ts'
import type { Agent } from './agent.ts'
import type { AgentsQuery } from '../schema.ts'
import { countAgents, listAgents as listStored, type AgentFilters } from './store.ts'

/** Lists the platform's agents, newest first. Fails: USER_NOT_FOUND, INVALID_INPUT on a cursor of another list. */
export async function listAgents(work: Work, query: AgentsQuery): Promise<Page<Agent>> {
  const { tx, platform } = work
  const { limit: _limit, cursor: _cursor, ...asked } = query
  const paging = openPage(work, { list: 'agents', query, filters: asked })
  const filters = await filtersOf(work, query)
  const [createdAt = '', id = ''] = paging.after ?? []
  const after = paging.after && ([createdAt, id] as const)
  const [rows, totalCount] = await Promise.all([
    listStored(tx, platform.id, { filters, after, fetch: paging.fetch }),
    countAgents(tx, platform.id, filters),
  ])
  const page = paging.page(rows, {
    item: (agent) => agent,
    position: (agent) => [toWireTime(agent.createdAt), agent.id],
  })
  return { ...page, totalCount }
}

async function filtersOf(work: Work, query: AgentsQuery): Promise<AgentFilters> {
  const { customerId: named, isPaused, isConnected } = query
  const customerId = named === undefined ? undefined : mustParseId('customer', named)
  if (customerId && !(await findCustomer(work, customerId))) failNotFound('customer')
  const instant = (text: string | undefined): Date | undefined => parseWireTime(text ?? '')
  return {
    customerId,
    isPaused,
    isConnected,
    now: work.now,
    createdFrom: instant(query.createdAfter),
    createdUntil: instant(query.createdBefore),
    updatedFrom: instant(query.updatedAfter),
    updatedUntil: instant(query.updatedBefore),
  }
}
