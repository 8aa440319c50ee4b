/** Stores the answers of operations under their Idempotency-Key. */
import type { ApiError } from '../../kernel/errors.ts'
import { toApiError } from '../db/statement/constraints.ts'
import { claimKey, isStorable, storeReplies, type KeyedRequest } from '../work/idempotency.ts'
import type { Work } from '../work/work.ts'
import { errorReply } from './error-reply.ts'
import type { Keeping } from './operation.ts'
import type { Reply } from './reply.ts'

/** Locks the key and returns the answer stored under it. Fails: IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED. */
export const claim = (work: Work, keyed: KeyedRequest): Promise<Reply | undefined> =>
  claimKey(work.tx, keyed, { now: work.now, keyring: work.keyring })

/** The answer to store for a refusal. A failure that may be retried is thrown, which releases the key. */
export function storableReply(error: unknown): Reply {
  const refusal = toApiError(error)
  if (!isStorable(refusal)) throw error
  return errorReply(refusal)
}

type Kept = Readonly<{
  keyed: KeyedRequest
  reply: Reply
  /** The start of the key's lifetime; by default the time of the work. */
  now?: Date
}>

/** Stores the answer in the transaction of the work, unless it may be retried or is shown once. */
export function keep(operation: Keeping, work: Work, { keyed, reply, now = work.now }: Kept): void {
  if (!isStorable({ status: reply.status, code: codeOf(reply) })) return
  if (operation.keeps?.(reply) === false) return
  if (operation.showsOnce && reply.status < 300) return
  const stored =
    operation.forReplay && reply.status < 300
      ? { ...reply, body: operation.forReplay(reply.body) }
      : reply
  const isSecret = operation.sealStoredReply
  storeReplies(work.tx, [{ request: keyed, reply: stored, now, isSecret }])
}

const codeOf = (reply: Reply): ApiError['code'] | undefined =>
  reply.status >= 400 ? (reply.body as { code: ApiError['code'] }).code : undefined
