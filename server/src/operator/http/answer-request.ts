import { createHash } from 'node:crypto'
import { DEFAULT_ENVIRONMENT, HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { toApiError } from '../../infra/db/statement/constraints.ts'
import { errorReply } from '../../infra/http/error-reply.ts'
import { reply, type Reply } from '../../infra/http/reply.ts'
import {
  claimKey,
  IDEMPOTENCY_KEY,
  isStorable,
  peekKey,
  storeReplies,
  type KeyedRequest,
} from '../../infra/work/idempotency.ts'
import { inOneTransaction } from '../../infra/work/one-transaction.ts'
import { mustBeCallable } from '../access/must-be-allowed.ts'
import { answerOf } from '../answer.ts'
import { toJson, withoutShownOnce, type Command, type Input } from '../command.ts'
import { inputFor } from '../command-line/command-line.ts'
import { proposalCommands } from '../proposals/commands.ts'
import type { WireProposal } from '../proposals/proposal.ts'
import { readBody, refusingUsage } from './command-body.ts'
import { pageOf, withOneMore } from './page.ts'

export type CommandRequest = Readonly<{
  body: unknown
  /** What an idempotency key is compared by. */
  rawBody: Buffer
  key: string | undefined
}>

const KEY_FIELD = 'Idempotency-Key'

/** A write is repeated safely only under a key (OPER-62). */
function keyErrors({ access }: Command, key: string | undefined): FieldError[] {
  if (key === undefined) return access.writes ? [{ field: KEY_FIELD, message: 'is required' }] : []
  if (IDEMPOTENCY_KEY.test(key)) return []
  return [{ field: KEY_FIELD, message: 'must be 1 to 255 printable ASCII characters' }]
}

/** Runs a command for a caller over HTTP. Its role comes before its input, as everywhere (OPER-4). */
export async function answerRequest(
  deps: Deps & Readonly<{ operator: Caller }>,
  command: Command,
  { body, rawBody, key }: CommandRequest,
): Promise<Reply> {
  mustBeCallable(deps.operator, command)
  const input = readBody(command, body, keyErrors(command, key))
  if (key === undefined || !command.access.writes) return run(deps, command, input)
  const fingerprint = createHash('sha256').update(`${command.name}\n`).update(rawBody).digest()
  const keyed = keyedBy(deps.operator, { key, fingerprint })
  const answering = (await command.answersOf?.(deps, input)) ?? command
  const answered = await onceUnder(deps, {
    keyed,
    command: answering,
    act: (joined) => run(joined, command, input),
  })
  invariant(answered, 'A command that ran has an answer.')
  return answered
}

/** Keys are the operator's own, whichever token they came with. */
export const keyedBy = (
  { operatorId, name }: Caller,
  request: Pick<KeyedRequest, 'key' | 'fingerprint'>,
): KeyedRequest => ({
  platformId: HOUSE_PLATFORM_IDS[DEFAULT_ENVIRONMENT],
  scope: `operator:${operatorId ?? name}`,
  ...request,
})

type Keeping = Readonly<{
  keyed: KeyedRequest
  command: Command
  act: (deps: Deps) => Promise<Reply | undefined>
}>

/**
 * Runs `act` and stores its answer under the key, refusals too. An answer that may differ next time is not stored, nor is
 * one that does not exist yet.
 */
export async function onceUnder(deps: Deps, keeping: Keeping): Promise<Reply | undefined> {
  const { validate } = keeping.command
  const answered = await (validate ? runThenStore(deps, keeping) : runAndStore(deps, keeping))
  return answered?.status === 202 ? asItStands(deps, answered) : answered
}

/** The effects and the stored answer are one transaction. */
function runAndStore(deps: Deps, keeping: Keeping): Promise<Reply | undefined> {
  const [now, { keyring }] = [deps.clock.now(), deps]
  return inOneTransaction(deps, async (joined, tx) => {
    const stored = await claimKey(tx, keeping.keyed, { now, keyring })
    if (stored) return stored
    const answer = await keeping.act(joined).catch(storableRefusal)
    if (answer) storeAnswer(tx, keeping, { answer, now })
    return answer
  })
}

/** For a command of many transactions, which a second run only continues: nothing is locked while it runs. */
async function runThenStore(deps: Deps, keeping: Keeping): Promise<Reply | undefined> {
  const [now, { keyring }] = [deps.clock.now(), deps]
  const stored = await peekKey(deps.db.read, keeping.keyed, { now, keyring })
  if (stored) return stored
  const answer = await keeping.act(deps).catch(storableRefusal)
  if (answer) await deps.db.transaction(async (tx) => storeAnswer(tx, keeping, { answer, now }))
  return answer
}

function storableRefusal(error: unknown): Reply {
  const refusal = toApiError(error as Error)
  if (!isStorable(refusal)) throw error
  return errorReply(refusal)
}

function storeAnswer(
  tx: Tx,
  { keyed, command }: Keeping,
  { answer, now }: Readonly<{ answer: Reply; now: Date }>,
): void {
  storeReplies(tx, [{ request: keyed, reply: forReplay(command, answer), now, isSecret: true }])
}

/** A proposal goes on after it was first answered (OPER-62). */
async function asItStands(deps: Deps, first: Reply): Promise<Reply> {
  const { proposalId } = first.body as WireProposal
  const input = inputFor(proposalCommands.show, { args: [proposalId] })
  const body = JSON.parse(toJson(await proposalCommands.show.run(deps, input))) as unknown
  return { ...first, body }
}

async function run(deps: Deps, command: Command, input: Input): Promise<Reply> {
  const answered = await refusingUsage(answerOf(deps, command, () => withOneMore(command, input)))
  return answered.proposal
    ? reply(202, answered.proposal)
    : reply(200, pageOf(command, input, answered.answer))
}

/** What is shown once is not shown again (CORE-41). */
const forReplay = (command: Command, answered: Reply): Reply =>
  answered.status >= 300
    ? answered
    : { ...answered, body: withoutShownOnce(command, answered.body) }
