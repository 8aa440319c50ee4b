import { describeActor } from '../../kernel/access/actor.ts'
import { addMs, DAY_MS } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import { formatId, newId, newUuid } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Money } from '../../kernel/money/money.ts'
import { DEFAULT_ENVIRONMENT, HOUSE_PLATFORM_IDS, type Platform } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Deps } from '../../infra/deps.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { inWork } from '../../infra/work/in-work.ts'
import { inOneTransaction } from '../../infra/work/one-transaction.ts'
import { callerOf, personOf } from '../access/caller.ts'
import type { Command, FourEyes, Input, Loose } from '../command.ts'
import { auditProposal } from './audit-proposal.ts'
import { isBelowThreshold } from './below-threshold.ts'
import { digestOf } from './digest.ts'
import { expire, expireJob } from './expire.ts'
import { sealInput, type Proposal } from './proposal.ts'
import { storeInput } from './stored-input.ts'
import { findEqual, insertProposal, lockOverdueEqual } from './store.ts'

/** The answer of a command, or a proposal where a second operator is needed. */
export type Outcome<T> = Readonly<{ answer: Loose<T> } | { proposal: Proposal }>

const OPEN_MS = DAY_MS

/** Rolls back the trial run of a command. */
class NeedsSecondOperator extends Error {
  override name = 'NotAlone'
}

export type Trial<T> = Readonly<{ command: Command<T>; input: Input }>

/** Runs a command, or rolls it back and proposes it where a second operator is needed (OPER-23). */
export async function runOrPropose<T>(deps: Deps, trial: Trial<T>): Promise<Outcome<T>> {
  return inOneTransaction(deps, async (joined) => {
    const tried = await tryAlone(joined, trial)
    if ('answer' in tried) return tried
    return { proposal: await propose(joined, trial.command, tried.proposed) }
  })
}

/**
 * Runs a command and keeps its effect only where its operator may act alone; otherwise all of it is rolled back.
 * `joined` is in one transaction, so that the facts which require a second operator cannot change meanwhile.
 */
export async function tryAlone<T>(
  joined: Deps,
  trial: Trial<T>,
): Promise<Readonly<{ answer: Loose<T> } | { proposed: Proposed }>> {
  const { command, input } = trial
  const { fourEyesFor } = command.access
  const fourEyes = fourEyesFor ? await fourEyesFor(joined, input) : command.access.fourEyes
  if (!fourEyes) return { answer: await command.run(joined, input) }
  const digest = await digestOf(joined, command, input)
  const money = await command.access.amountOf?.(joined, input)
  const touched: Platform[] = []
  const trying: Deps = { ...joined, began: (platform) => void touched.push(platform) }
  try {
    return await joined.db.transaction(async (tx) => {
      if (command.validate) {
        await command.validate(trying, input)
        throw new NeedsSecondOperator()
      }
      const answer = await command.run(trying, input)
      if (!(await mayActAlone(trying, tx, { ...trial, fourEyes, touched, money })))
        throw new NeedsSecondOperator()
      return { answer }
    })
  } catch (error) {
    if (!(error instanceof NeedsSecondOperator)) throw error
  }
  return { proposed: { input, digest, money, touched } }
}

type Tried = Trial<unknown> &
  Readonly<{ fourEyes: FourEyes; touched: readonly Platform[]; money: Money | undefined }>

/** A command that touches only sandbox platforms needs no second operator (OPER-21). */
async function mayActAlone(deps: Deps, tx: Tx, tried: Tried): Promise<boolean> {
  const { command, input, touched } = tried
  const environment = await command.access.environmentFor?.(deps, input)
  const changed = environment ? [{ environment }] : touched
  if (changed.length > 0 && !changed.some((one) => traitsOf(one).needsFourEyes)) return true
  const platform = findGuarded(touched)
  return platform !== undefined && isBelowThreshold(deps, tx, { ...tried, platform })
}

const findGuarded = (touched: readonly Platform[]): Platform | undefined =>
  touched.find((platform) => traitsOf(platform).needsFourEyes)

/** What a proposal is made of. */
export type Proposed = Readonly<{
  input: Input
  digest: Buffer
  money: Money | undefined
  touched: readonly Platform[]
}>

/** Stores the proposal of a command. Fails: CONFLICT where an equal one is open (OPER-27). */
export async function propose(
  deps: Deps,
  command: Command,
  { input, digest, money, touched }: Proposed,
): Promise<Proposal> {
  const caller = callerOf(deps)
  const createdAt = deps.clock.now()
  const platform = findGuarded(touched) ?? (await housePlatform(deps))
  const id = newId('proposal')
  const proposal: Proposal = {
    platformId: platform.id,
    id,
    command: command.name,
    sealedInput: sealInput(deps.keyring, id, await storeInput(command, input)),
    digest,
    resource: input.args[0] ?? null,
    amount: money?.amount ?? null,
    currency: money?.currency ?? null,
    status: 'PROPOSED',
    proposer: personOf(caller),
    proposedBy: describeActor(caller.actor),
    decidedBy: null,
    sealedResult: null,
    error: null,
    createdAt,
    expiresAt: addMs(createdAt, OPEN_MS),
    decidedAt: null,
  }
  await inWork(deps, { platform, actor: caller.actor, requestId: newUuid() }, async (work) => {
    const overdue = await lockOverdueEqual(work.tx, proposal)
    if (overdue) await expire(work, overdue)
    if (!(await insertProposal(work.tx, proposal))) await failDuplicate(work.tx, proposal)
    enqueue(work, expireJob, { proposalId: id }, { dueAt: proposal.expiresAt, key: id })
    auditProposal(work, 'propose', proposal)
  })
  return proposal
}

async function failDuplicate(tx: Tx, proposal: Proposal): Promise<never> {
  const equal = await findEqual(tx, proposal)
  return fail('CONFLICT', equal && { proposalId: formatId('proposal', equal.id) })
}

async function housePlatform({ db }: Deps): Promise<Platform> {
  const house = await findPlatform(db.read, HOUSE_PLATFORM_IDS[DEFAULT_ENVIRONMENT])
  invariant(house, 'The first migration makes the house platforms.')
  return house
}
