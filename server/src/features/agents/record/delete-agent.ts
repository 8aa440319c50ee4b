import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Sql } from '../../../infra/db/statement/sql.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockTransactions, type Transaction } from '../../transactions/index.ts'
import type { Action } from '../actions/action.ts'
import { listPendingActions } from '../actions/store.ts'
import { rejectActions } from '../approval/decide-action.ts'
import { listAgentIdsOfCustomer, lockAgents, markDeleted, type StoredAgent } from './store.ts'

const REASON = 'Agent deleted'

/** Deletes an agent with its token and codes, and rejects its pending actions (AGENT-10). Fails: REFERENCE_NOT_FOUND. */
export async function deleteAgent(work: Work, id: Id<'agent'>): Promise<void> {
  const deleted = await deleteAgents(work, [id])
  if (deleted.length === 0) failNotFound('agent')
}

/**
 * Locks the payments that wait for approval before the customer's accounts, as an approval does. The agents are locked
 * after the accounts, as in a submission. Refuses nothing.
 */
export async function lockActionsOfCustomer(
  work: Work,
  { customerId }: InternalEvents['customers.deletionRequested'],
): Promise<void> {
  const { tx, platform } = work
  const ids = await listAgentIdsOfCustomer(tx, platform.id, customerId)
  if (ids.length > 0) await lockPayments(work, await listPendingActions(tx, platform.id, ids))
}

/** Deletes the agents of a deleted customer (CUST-63). Refuses nothing. */
export async function deleteAgentsOfCustomer(
  work: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  const { tx, platform } = work
  const ids = await listAgentIdsOfCustomer(tx, platform.id, customerId)
  if (ids.length > 0) await deleteAgents(work, ids)
}

async function deleteAgents(
  work: Work,
  ids: readonly Id<'agent'>[],
): Promise<readonly StoredAgent[]> {
  const { tx, platform, now } = work
  // Payments are locked before agents, as in a submission; payments submitted in between are locked afterwards.
  await lockPayments(work, await listPendingActions(tx, platform.id, ids))
  const locked = await lockAgents(
    tx,
    ids.map((id) => ({ platformId: platform.id, id })),
  )
  const agents = locked.filter(({ isDeleted }) => !isDeleted)
  const agentIds = agents.map(({ id }) => id)
  if (agents.length === 0) return agents
  await rejectPending(work, agents)
  await markDeleted(tx, platform.id, { ids: agentIds, at: now })
  await work.react('agents.changed', { agentIds })
  return agents
}

async function lockPayments(
  { tx, platform }: Work,
  actions: readonly Action[],
): Promise<ReadonlyMap<Id<'transaction'>, Transaction>> {
  if (actions.length === 0) return new Map()
  const keys = actions.map(({ transactionId: id }) => ({ platformId: platform.id, id }))
  return new Map((await lockTransactions(tx, keys)).map((one) => [one.id, one]))
}

/** Writes before the commit, because the deletion of a customer looks for open quotes next and must not find these. */
async function rejectPending(work: Work, agents: readonly StoredAgent[]): Promise<void> {
  const { tx, platform } = work
  const byId = new Map(agents.map((agent) => [agent.id, agent]))
  const actions = await listPendingActions(tx, platform.id, [...byId.keys()])
  const payments = await lockPayments(work, actions)
  const queued: Sql[] = []
  const writing = { ...work, tx: { ...tx, queueWrite: (query: Sql) => void queued.push(query) } }
  const locked = actions.flatMap((action) => {
    const payment = payments.get(action.transactionId)
    const agent = byId.get(action.agentId)
    return payment && agent ? [{ action, payment, agent }] : []
  })
  if (locked.length > 0) rejectActions(writing, locked, REASON)
  await Promise.all(queued.map((query) => tx.run(query)))
}
