import type { Deps } from '../../infra/deps.ts'
import { inOneTransaction } from '../../infra/work/one-transaction.ts'
import type { Work } from '../../infra/work/work.ts'
import { describeActor } from '../../kernel/access/actor.ts'
import { fail } from '../../kernel/errors.ts'
import { failNotFound, formatId, type Id } from '../../kernel/ids.ts'
import { callerOf, personOf } from '../access/caller.ts'
import { decide, lockToDecide, mustBeOpen, type FindCommand } from './approve.ts'
import { auditProposal } from './audit-proposal.ts'
import type { Proposal } from './proposal.ts'
import { lockOpenOf, lockProposal, withdrawAll } from './store.ts'

/** Rejects a proposal, as any operator may who could approve it. Fails as `lockToDecide` and `mustBeOpen` do. */
export const reject = (
  deps: Deps,
  find: FindCommand,
  { id, note }: Readonly<{ id: Id<'proposal'>; note: string | undefined }>,
): Promise<Proposal> =>
  inOneTransaction(deps, async (joined) => {
    const { proposal } = await lockToDecide(joined, find, id)
    return end(joined, proposal, { step: 'reject', status: 'REJECTED', note })
  })

/** Withdraws an own proposal. Fails: REFERENCE_NOT_FOUND; FORBIDDEN for other operators; CONFLICT if decided. */
export const withdraw = (deps: Deps, id: Id<'proposal'>): Promise<Proposal> =>
  inOneTransaction(deps, async (joined) => {
    const caller = callerOf(joined)
    const proposal =
      (await lockProposal(joined.db.read, id, caller.platforms)) ?? failNotFound('proposal')
    const { proposer, proposedBy } = proposal
    if (proposer !== personOf(caller)) fail('FORBIDDEN', { proposedBy })
    return end(joined, proposal, { step: 'withdraw', status: 'WITHDRAWN' })
  })

async function end(
  deps: Deps,
  proposal: Proposal,
  decision: Parameters<typeof decide>[2],
): Promise<Proposal> {
  const now = deps.clock.now()
  mustBeOpen(proposal, now)
  await decide(deps, proposal, decision)
  const { status } = decision
  return { ...proposal, status, decidedBy: describeActor(callerOf(deps).actor), decidedAt: now }
}

/** Withdraws the open proposals of an operator who loses access (OPER-26). */
export async function withdrawProposalsOf(work: Work, operatorId: Id<'operator'>): Promise<void> {
  const { tx, actor, now: at } = work
  const open = await lockOpenOf(tx, formatId('operator', operatorId))
  const ids = open.map(({ id }) => id)
  if (ids.length > 0) await withdrawAll(tx, ids, { decidedBy: describeActor(actor), at })
  for (const proposal of open) {
    const platform = { ...work.platform, id: proposal.platformId }
    auditProposal({ ...work, platform }, 'withdraw', proposal)
  }
}
