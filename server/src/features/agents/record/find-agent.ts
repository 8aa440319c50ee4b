import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { AgentPermission } from '../../../kernel/access/permissions.ts'
import { unauthorized } from '../../../infra/http/authenticate.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustHavePermission } from '../policy/judge.ts'
import { findAgent, lockAgents, type StoredAgent } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform'>

/** Fails: REFERENCE_NOT_FOUND, also for a deleted agent. */
export async function mustFindAgent(
  { tx, platform }: Reading,
  id: Id<'agent'>,
): Promise<StoredAgent> {
  const agent = await findAgent(tx, platform.id, id)
  return agent && !agent.isDeleted ? agent : failNotFound('agent')
}

/** Locks the agent until the transaction ends. Fails: REFERENCE_NOT_FOUND. */
export async function mustLockAgent(
  { tx, platform }: Reading,
  id: Id<'agent'>,
): Promise<StoredAgent> {
  const [agent] = await lockAgents(tx, [{ platformId: platform.id, id }])
  return agent && !agent.isDeleted ? agent : failNotFound('agent')
}

/** Reads the calling agent again. Fails: UNAUTHORIZED if it has been deleted since authentication. */
export async function mustFindOwnAgent(work: Work): Promise<StoredAgent> {
  const { tx, platform, actor } = work
  invariant(actor.kind === 'agent', 'An agent calls here.')
  return mustBeLive(await findAgent(tx, platform.id, actor.agentId))
}

/**
 * The calling agent with the permission to write: authentication may have used a cached state, older than a pause or a
 * change of policy. Fails: UNAUTHORIZED, FORBIDDEN with the reason.
 */
export async function mustFindOwnWriter(
  work: Work,
  permission: AgentPermission,
): Promise<StoredAgent> {
  const agent = await mustFindOwnAgent(work)
  mustHavePermission(agent, permission)
  return agent
}

export function mustBeLive(agent: StoredAgent | undefined): StoredAgent {
  if (agent && !agent.isDeleted) return agent
  throw unauthorized('the agent was deleted meanwhile', 'Bearer')
}
