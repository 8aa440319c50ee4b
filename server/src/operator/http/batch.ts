/** Many of one command in one request: each by itself, under a key of its own (OPER-63). */
import { createHash } from 'node:crypto'
import { failFields, mustHaveNoErrors, type FieldError } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Caller } from '../../kernel/access/operator.ts'
import { toApiError } from '../../infra/db/statement/constraints.ts'
import type { Deps } from '../../infra/deps.ts'
import { errorReply } from '../../infra/http/error-reply.ts'
import { reply, type Reply } from '../../infra/http/reply.ts'
import { IDEMPOTENCY_KEY, storeReplies, type KeyedRequest } from '../../infra/work/idempotency.ts'
import { inOneTransaction } from '../../infra/work/one-transaction.ts'
import { mustBeCallable } from '../access/must-be-allowed.ts'
import { runIfAlone } from '../access/run-command.ts'
import { toJson, type Command } from '../command.ts'
import { batchOf, batchInput, type BatchItem } from '../proposals/batch-command.ts'
import { digestOf } from '../proposals/digest.ts'
import { proposalToWire } from '../proposals/proposal.ts'
import { propose, type Proposed } from '../proposals/run-or-propose.ts'
import { keyedBy, onceUnder } from './answer-request.ts'
import { readBody, refusingUsage } from './command-body.ts'

const ITEMS_MAX = 500

function readItems(body: unknown): BatchItem[] {
  const { items } = (body ?? {}) as { items?: unknown }
  if (!Array.isArray(items) || items.length < 1 || items.length > ITEMS_MAX)
    return failFields([{ field: 'items', message: `must be a list of 1 to ${ITEMS_MAX}` }])
  const seen = new Set<unknown>()
  const errors: FieldError[] = []
  const read = items.map((item: unknown, index) => {
    const { key, ...fields } = (item ?? {}) as Readonly<Record<string, unknown>>
    const field = `items.${index}.key`
    if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
      errors.push({ field, message: 'must be 1 to 255 printable ASCII characters' })
    else if (seen.has(key)) errors.push({ field, message: 'stands in this batch twice' })
    seen.add(key)
    return { key: String(key), fields }
  })
  mustHaveNoErrors(errors)
  return read
}

type As = Deps & Readonly<{ operator: Caller }>

/** An item that a second operator has to agree to. */
type Waiting = Readonly<{ item: BatchItem; keyed: KeyedRequest; proposed: Proposed }>

/** One after the other, each in a transaction of its own: what is done when the process ends stays done, under its key. */
export async function answerBatch(deps: As, command: Command, body: unknown): Promise<Reply> {
  mustBeCallable(deps.operator, command)
  const items = readItems(body)
  const answers = new Map<string, Reply>()
  const waiting: Waiting[] = []
  for (const item of items) {
    const keyed = keyOf(deps, command, item)
    const came = await answerItem(deps, command, { item, keyed })
    if ('proposed' in came) waiting.push({ item, keyed, proposed: came.proposed })
    else answers.set(item.key, came)
  }
  if (waiting.length > 0) {
    const proposal = await proposeTogether(deps, command, waiting)
    for (const { item } of waiting) answers.set(item.key, proposal)
  }
  const results = items.map(({ key }) => {
    const { status, body: answered } = answers.get(key) ?? {}
    return { key, status, body: answered }
  })
  return reply(200, { results })
}

function keyOf({ operator }: As, { name }: Command, { key, fields }: BatchItem): KeyedRequest {
  const fingerprint = createHash('sha256')
    .update(`${name}\n${JSON.stringify(fields)}`)
    .digest()
  return keyedBy(operator, { key, fingerprint })
}

type Asked = Pick<Waiting, 'item' | 'keyed'>

/** A refusal, or an outage, is the answer of the one item. */
async function answerItem(
  deps: As,
  command: Command,
  { item, keyed }: Asked,
): Promise<Reply | Pick<Waiting, 'proposed'>> {
  let proposed: Proposed | undefined
  const act = async (joined: Deps): Promise<Reply | undefined> => {
    const came = await refusingUsage(
      runIfAlone(joined, command, () => readBody(command, item.fields)),
    )
    proposed = 'proposed' in came ? came.proposed : undefined
    return 'answer' in came ? reply(200, JSON.parse(toJson(came.answer)) as unknown) : undefined
  }
  try {
    const answered = await onceUnder(deps, { keyed, command, act })
    if (answered) return answered
  } catch (error) {
    return errorReply(toApiError(error as Error))
  }
  invariant(proposed, 'What has no answer is proposed.')
  return { proposed }
}

/** One proposal, which each of the keys answers from now on. */
async function proposeTogether(
  deps: As,
  command: Command,
  waiting: readonly Waiting[],
): Promise<Reply> {
  const batch = batchOf(command)
  const input = batchInput(waiting.map(({ item }) => item))
  const touched = waiting.flatMap(({ proposed }) => proposed.touched)
  try {
    return await inOneTransaction(deps, async (joined, tx) => {
      const digest = await digestOf(joined, batch, input)
      const proposal = await propose(joined, batch, { input, digest, money: undefined, touched })
      const [now, { keyring }] = [deps.clock.now(), deps]
      const shown = proposalToWire({ keyring, now }, proposal)
      const answer = reply(202, JSON.parse(toJson(shown)) as unknown)
      const kept = waiting.map(({ keyed }) => ({
        request: keyed,
        reply: answer,
        now,
        isSecret: true,
      }))
      storeReplies(tx, kept)
      return answer
    })
  } catch (error) {
    return errorReply(toApiError(error as Error))
  }
}
