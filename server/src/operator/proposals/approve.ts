import { toApiError } from '../../infra/db/statement/constraints.ts'
import type { Deps } from '../../infra/deps.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { inWork } from '../../infra/work/in-work.ts'
import { inOneTransaction } from '../../infra/work/one-transaction.ts'
import { describeActor } from '../../kernel/access/actor.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import { fail } from '../../kernel/errors.ts'
import { failNotFound, newUuid, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { callerOf, personOf } from '../access/caller.ts'
import { mustBeCallable, mustBeRunnable } from '../access/must-be-allowed.ts'
import { toJson, UsageError, withoutShownOnce, type Command, type Input } from '../command.ts'
import { auditProposal } from './audit-proposal.ts'
import { digestOf } from './digest.ts'
import { openInput, sealResult, statusAt, type Proposal, type ProposalError } from './proposal.ts'
import { inputFromStored } from './stored-input.ts'
import { lockProposal, saveDecision, saveOutcome, type Outcome } from './store.ts'

/** The command that a proposal names; undefined where this version no longer has it. */
export type FindCommand = (name: string) => Command | undefined

/** A locked proposal, with the command that it proposes. */
export type Deciding = Readonly<{ proposal: Proposal; command: Command; input: Input }>

/**
 * Locks a proposal that the operator may decide on. Fails: REFERENCE_NOT_FOUND; FORBIDDEN where the operator may not
 * run the command or has proposed it; CONFLICT where its input is erased (OPER-24, OPER-25).
 */
export async function lockToDecide(
  deps: Deps,
  find: FindCommand,
  id: Id<'proposal'>,
): Promise<Deciding> {
  const caller = callerOf(deps)
  const proposal =
    (await lockProposal(deps.db.read, id, caller.platforms)) ?? failNotFound('proposal')
  const command = find(proposal.command) ?? failNotFound('proposal')
  mustBeCallable(caller, command)
  const input = inputFromStored(
    openInput(deps.keyring, proposal) ?? fail('CONFLICT', { proposalStatus: proposal.status }),
  )
  await mustBeRunnable(deps, command, input)
  if (proposal.proposer === personOf(caller)) fail('FORBIDDEN', { reason: 'SAME_OPERATOR' })
  return { proposal, command, input }
}

export function mustBeOpen(proposal: Proposal, now: Date): void {
  const proposalStatus = statusAt(proposal, now)
  if (proposalStatus !== 'PROPOSED') fail('CONFLICT', { proposalStatus })
}

type Step = Parameters<typeof auditProposal>[1]

/** Writes a decision, with its audit entry in the proposal's platform. */
export async function decide(
  deps: Deps,
  proposal: Proposal,
  { step, note, ...outcome }: Outcome & Readonly<{ step: Step; note?: string | undefined }>,
): Promise<void> {
  const platform = await findPlatform(deps.db.read, proposal.platformId)
  invariant(platform, 'A proposal belongs to a platform.')
  const { actor } = callerOf(deps)
  const [at, decidedBy] = [deps.clock.now(), describeActor(actor)]
  await inWork(deps, { platform, actor, requestId: newUuid() }, async (work) => {
    await saveDecision(work.tx, proposal, { ...outcome, at, decidedBy })
    auditProposal(work, step, proposal, note)
  })
}

/** A caller without an operator record may be the proposer; a program is no second operator (OPER-24). */
function mustBePerson({ operatorId, isMachine }: Caller): void {
  if (operatorId === undefined) fail('FORBIDDEN', { reason: 'SAME_OPERATOR' })
  if (isMachine) fail('FORBIDDEN', { reason: 'MACHINE_TOKEN' })
}

type Ran = Readonly<{ answer: unknown } | { refusal: Error; error: ProposalError }>

/** The command's own refusal. A bug or an outage is thrown, so that the proposal stays open. */
function refusalIn(error: unknown): Ran {
  if (error instanceof UsageError)
    return { refusal: error, error: { code: 'INVALID_INPUT', message: error.message } }
  const refusal = toApiError(error)
  if (refusal.status >= 500) throw error
  const { code, message, details } = refusal
  return { refusal, error: { code, message, ...(details && { details }) } }
}

/** The approver as the caller; every audit entry also names the proposer (OPER-9). */
function approverOf(caller: Caller, { proposedBy }: Proposal): Caller {
  return { ...caller, actor: { ...caller.actor, proposedBy } }
}

async function runCommandOf(deps: Deps, { proposal, command, input }: Deciding): Promise<Ran> {
  const operator = approverOf(callerOf(deps), proposal)
  try {
    return { answer: await command.run({ ...deps, operator }, input) }
  } catch (error) {
    return refusalIn(error)
  }
}

/** Compares the digest and runs the command in one transaction, which is rolled back where the command is refused. */
async function runIfUnchanged(deps: Deps, deciding: Deciding): Promise<Ran> {
  const { proposal, command, input } = deciding
  try {
    return await deps.db.transaction(async () => {
      if (!(await digestOf(deps, command, input)).equals(proposal.digest))
        fail('CONFLICT', { reason: 'PROPOSAL_STALE' })
      const ran = await runCommandOf(deps, deciding)
      if ('refusal' in ran) throw ran.refusal
      return ran
    })
  } catch (error) {
    return refusalIn(error)
  }
}

/** The proposal's outcome after its command was run. */
function outcomeOf({ keyring }: Deps, { proposal, command }: Deciding, ran: Ran): Outcome {
  if ('refusal' in ran) return { status: 'FAILED', error: ran.error }
  const json = toJson(withoutShownOnce(command, ran.answer))
  return { status: 'EXECUTED', sealedResult: sealResult(keyring, proposal.id, json) }
}

/** Runs a command that needs several transactions after the approval, then saves its outcome. */
async function runAfterwards(deps: Deps, deciding: Deciding): Promise<Ran> {
  const ran = await runCommandOf(deps, deciding)
  const outcome = outcomeOf(deps, deciding, ran)
  await deps.db.transaction((tx) => saveOutcome(tx, deciding.proposal, outcome))
  return ran
}

/**
 * Runs the command of a proposal in the transaction of its approval and answers the command's answer (OPER-24). Fails
 * as `lockToDecide` and `mustBeOpen` do, and with the command's own refusal.
 */
export async function approve(deps: Deps, find: FindCommand, id: Id<'proposal'>): Promise<unknown> {
  const { deciding, ran } = await inOneTransaction(deps, async (joined) => {
    const deciding = await lockToDecide(joined, find, id)
    mustBePerson(callerOf(joined))
    mustBeOpen(deciding.proposal, joined.clock.now())
    const ran = deciding.command.validate ? undefined : await runIfUnchanged(joined, deciding)
    const outcome = ran ? outcomeOf(joined, deciding, ran) : { status: 'EXECUTED' as const }
    const note = outcome.error && `refused with ${outcome.error.code}`
    await decide(joined, deciding.proposal, { step: 'approve', note, ...outcome })
    return { deciding, ran }
  })
  const done = ran ?? (await runAfterwards(deps, deciding))
  if ('refusal' in done) throw done.refusal
  return done.answer
}
