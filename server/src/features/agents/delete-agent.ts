import type { Id } from '../../kernel/ids.ts'
import type { Sql } from '../../infra/db/sql.ts'
import type { InternalEvents } from '../../infra/internal-events.ts'
import type { Work } from '../../infra/work.ts'
import { lockTransactions } from '../transactions/index.ts'
import { listPendingActions } from './action-store.ts'
import { rejectAction } from './decide-action.ts'
import { mustLockAgent } from './find-agent.ts'
import { lockAgentsOfCustomer, markDeleted, type StoredAgent } from './store.ts'

const REASON = 'Agent deleted'

/** Ends an agent for good: its token, its codes, and what waited for approval (AGENT-10). Fails: REFERENCE_NOT_FOUND. */
export async function deleteAgent(work: Work, id: Id<'agent'>): Promise<void> {
  await endAgents(work, [await mustLockAgent(work, id)])
}

/** A deleted customer has no agents any more (CUST-63). Refuses nothing. */
export async function deleteAgentsOfCustomer(
  work: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  const { tx, platform } = work
  await endAgents(work, await lockAgentsOfCustomer(tx, platform.id, customerId))
}

async function endAgents(work: Work, agents: readonly StoredAgent[]): Promise<void> {
  if (agents.length === 0) return
  const { tx, platform, now } = work
  const agentIds = agents.map(({ id }) => id)
  await rejectPending(work, agents)
  await markDeleted(tx, platform.id, { ids: agentIds, at: now })
  await work.react('agents.changed', { agentIds })
}

/** Written at once: who deletes the customer goes on to its open quotes, and must not find these among them. */
async function rejectPending(work: Work, agents: readonly StoredAgent[]): Promise<void> {
  const { tx, platform } = work
  const byId = new Map(agents.map((agent) => [agent.id, agent]))
  const actions = await listPendingActions(tx, platform.id, [...byId.keys()])
  if (actions.length === 0) return
  const keys = actions.map(({ transactionId: id }) => ({ platformId: platform.id, id }))
  const payments = new Map((await lockTransactions(tx, keys)).map((one) => [one.id, one]))
  const queued: Sql[] = []
  const writing = { ...work, tx: { ...tx, trail: (query: Sql) => void queued.push(query) } }
  for (const action of actions) {
    const payment = payments.get(action.transactionId)
    const agent = byId.get(action.agentId)
    if (payment && agent) rejectAction(writing, { action, payment, agent }, REASON)
  }
  for (const query of queued) await tx.run(query)
}
