import { parseWireTime } from '../../../kernel/clock.ts'
import type { Page } from '../../../kernel/page.ts'
import { openPage, pageByCreation } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustKnowCustomer } from '../../customers/index.ts'
import type { Agent } from './agent.ts'
import type { AgentsQuery } from '../schema.ts'
import { countAgents, listAgents as listStored, type AgentFilters } from './store.ts'

/** Lists the platform's agents, newest first. Fails: USER_NOT_FOUND, INVALID_INPUT on a cursor of another list. */
export async function listAgents(work: Work, query: AgentsQuery): Promise<Page<Agent>> {
  const { tx, platform } = work
  const paging = openPage(work, { list: 'agents', query })
  const filters = await filtersOf(work, query)
  return pageByCreation(paging, {
    rows: (page) => listStored(tx, platform.id, { filters, ...page }),
    count: () => countAgents(tx, platform.id, filters),
  })
}

async function filtersOf(work: Work, query: AgentsQuery): Promise<AgentFilters> {
  const { isPaused, isConnected } = query
  const instant = (text: string | undefined): Date | undefined => parseWireTime(text ?? '')
  return {
    customerId: await mustKnowCustomer(work, query.customerId),
    isPaused,
    isConnected,
    now: work.now,
    createdFrom: instant(query.createdAfter),
    createdUntil: instant(query.createdBefore),
    updatedFrom: instant(query.updatedAfter),
    updatedUntil: instant(query.updatedBefore),
  }
}
