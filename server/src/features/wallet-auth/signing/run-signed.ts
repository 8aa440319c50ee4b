/**
 * A signed operation (chapter 20, SIGN): the first call answers the payload to sign, the retry with stamp and Request-Id
 * takes effect, once. An operation that is processed asynchronously answers PROCESSING, and a job settles it.
 */
import { addMs } from '../../../kernel/clock.ts'
import { mustPass, type Refusal } from '../../../kernel/errors.ts'
import { parseId } from '../../../kernel/ids.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { payloadToSign } from '../../../crypto/wallet/payload-to-sign.ts'
import { SANDBOX_PROCESSING_SUFFIX } from '../../../crypto/wallet/sandbox-values.ts'
import { errorReply } from '../../../infra/http/error-reply.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { attempt } from '../../../infra/work/attempt.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer } from '../../customers/index.ts'
import { settleRequestJob } from '../job-definitions.ts'
import type { Session } from '../credentials/auth-method.ts'
import { decideRetry, judgeRetry, type SignerProblem } from './judge-retry.ts'
import {
  challengeToWire,
  isUsable,
  moveSignatureRequest,
  openSignatureRequest,
  readBody,
  type WireChallenge,
} from './signature-request.ts'
import { findSignatureRequest, type SignatureRequest } from './store.ts'
import { PROCESSING_MS } from '../rules.ts'
import { requestReply } from '../secrets.ts'
import {
  readSignedHeaders,
  type DraftedOperation,
  type Headers,
  type SignedHeaders,
  type SignedInput,
  type SignedOperation,
} from './signed-operation.ts'
import { lockWallet } from '../wallets/store.ts'
import type { Wallet } from '../wallets/wallet.ts'

export type WireProcessing = { status: 'PROCESSING'; message: string }
export type Processing = Reply<200, WireProcessing>

export const processing = (): Processing =>
  reply(200, {
    status: 'PROCESSING',
    message: 'The operation is being worked on. Send the identical request again.',
  })

type HasWallet = Readonly<{ wallet: Wallet }>
type SignedReply<R extends Reply> = R | Reply<202, WireChallenge> | Processing | Refusal

export async function runSigned<S extends HasWallet, R extends Reply>(
  work: Work,
  operation: DraftedOperation<S, R>,
  { headers: allHeaders, ...input }: SignedInput & { headers: Headers },
): Promise<SignedReply<R>> {
  const headers = readSignedHeaders(allHeaders)
  const call = { operation, input, headers }
  const settled = await findSettledAnswer<R>(work, call)
  if (settled) return settled
  const subject = await operation.find(work, input)
  const isNeeded = operation.needsSignature?.(subject) ?? true
  if (!isNeeded && !(await namesPendingRequest(work, call))) {
    const refusal = await operation.check?.(work, { subject, call: 'FIRST' })
    return refusal ?? operation.perform(work, { subject })
  }
  const isFirst = headers.stamp === undefined && headers.requestId === undefined
  return isFirst
    ? requestSignature(work, operation, { subject, input })
    : takeRetry(work, operation, { subject, input, headers })
}

type Call = Readonly<{
  operation: Readonly<{ id: string }>
  input: SignedInput
  headers: SignedHeaders
}>

async function findNamedRequest(
  { tx, platform }: Work,
  { requestId }: SignedHeaders,
): Promise<SignatureRequest | undefined> {
  const id = requestId === undefined ? undefined : parseId('request', requestId)
  return id && (await findSignatureRequest(tx, platform.id, id))
}

/**
 * Finds the answer that a job prepared. Runs before the resource is looked up, since a revoked one is gone by then, and
 * without a lock, since a final answer never changes (SIGN-10).
 */
async function findSettledAnswer<R extends Reply>(
  work: Work,
  { operation, input, headers }: Call,
): Promise<R | undefined> {
  const { stamp: stampText } = headers
  const request = stampText === undefined ? undefined : await findNamedRequest(work, headers)
  if (stampText === undefined || !request?.reply) return undefined
  const signerProblemOf = () => 'Session may not sign this request' as const
  const retry = { ...input, operation: operation.id, stampText, signerProblemOf }
  const verdict = decideRetry(work, retry, { request, session: undefined })
  return verdict.ok ? openReply<R>(work, request.id, request.reply) : undefined
}

const openReply = <R extends Reply>({ keyring }: Work, id: string, sealed: Buffer): R =>
  JSON.parse(requestReply.open(keyring, sealed, id).toString('utf8')) as R

/** A retry that names a pending request is judged as a retry, even if no signature is needed any more (SIGN-16). */
async function namesPendingRequest(
  work: Work,
  { operation, input, headers }: Call,
): Promise<boolean> {
  const request = await findNamedRequest(work, headers)
  return (
    request?.operation === operation.id &&
    request.resourceId === input.resourceId &&
    isUsable(request, work.now)
  )
}

/** The first call has no effect besides the signature request (SIGN-1). */
async function requestSignature<S extends HasWallet, R extends Reply>(
  work: Work,
  operation: DraftedOperation<S, R>,
  { subject, input }: { subject: S; input: SignedInput },
): Promise<Reply<202, WireChallenge> | Refusal> {
  const refusal = await operation.check?.(work, { subject, call: 'FIRST' })
  if (refusal) return refusal
  const { wallet } = subject
  const { activity, type, credentialId, context } = operation.draft(subject)
  const { organizationId } = wallet
  const request = openSignatureRequest(work, {
    operation: operation.id,
    resourceId: input.resourceId,
    body: input.body,
    wallet,
    credentialId,
    context,
    payload: ({ id }) => payloadToSign({ organizationId, activity, requestId: id, at: work.now }),
  })
  return reply(202, challengeToWire(request, type))
}

type RetryInput<S> = Readonly<{ subject: S; input: SignedInput; headers: SignedHeaders }>

/** Judges a signed retry and settles it at most once, however often it is sent (SIGN-2 to SIGN-11). */
export async function takeRetry<S extends HasWallet, R extends Reply>(
  work: Work,
  operation: SignedOperation<S, R>,
  { subject, input, headers }: RetryInput<S>,
): Promise<R | Processing | Refusal> {
  const { wallet } = subject
  const verdict = await judgeRetry(work, {
    operation: operation.id,
    resourceId: input.resourceId,
    body: input.body,
    headers,
    wallet,
    signerProblemOf: (session) => signerProblemOf(operation, session, subject),
  })
  if (!verdict.ok) return verdict
  const { request, stampDigest } = verdict
  if (verdict.again) return repeatAnswer(work, operation, { subject, request })
  const refusal = await operation.check?.(work, { subject, call: 'RETRY', request })
  if (refusal) return refusal
  if (await isProcessedAsync(work, wallet)) {
    moveSignatureRequest(work, request, { event: 'process', stampDigest })
    const dueAt = addMs(work.now, PROCESSING_MS)
    enqueue(work, settleRequestJob, { requestId: request.id }, { dueAt })
    return processing()
  }
  return performNow(work, operation, { subject, request, event: 'settle' })
}

type Accepted<S> = Readonly<{ subject: S; request: SignatureRequest }>

async function performNow<S extends HasWallet, R extends Reply>(
  work: Work,
  operation: SignedOperation<S, R>,
  { event, ...accepted }: Accepted<S> & { event: 'settle' | 'deliver' },
): Promise<R> {
  const answer = await operation.perform(work, accepted)
  moveSignatureRequest(work, accepted.request, { event })
  return answer
}

/** A passkey login without user verification may not sign operations that cannot be undone (SIGN-6, VRFY-18). */
function signerProblemOf<S extends HasWallet, R extends Reply>(
  operation: SignedOperation<S, R>,
  session: Session,
  subject: S,
): SignerProblem | undefined {
  if (operation.maySign?.(session, subject) === false) return 'Session may not sign this request'
  const isProofMissing =
    !session.isUserVerified && operation.needsUserVerification?.(session, subject)
  return isProofMissing ? 'User verification is required' : undefined
}

/** Answers the identical retry again (SIGN-10); sealed material goes out with one of them (EXPT-6). */
async function repeatAnswer<S extends HasWallet, R extends Reply>(
  work: Work,
  operation: SignedOperation<S, R>,
  { subject, request }: Accepted<S>,
): Promise<R | Processing | Refusal> {
  if (request.state === 'PROCESSING') return processing()
  if (request.reply !== null) return openReply<R>(work, request.id, request.reply)
  const refusal = await operation.check?.(work, { subject, call: 'RETRY', request })
  if (refusal) return refusal
  return performNow(work, operation, { subject, request, event: 'deliver' })
}

/** Whether the sandbox customer's e-mail address asks for asynchronous processing. */
export async function isProcessedAsync(work: Work, { customerId }: Wallet): Promise<boolean> {
  if (!traitsOf(work.platform).hasMagicValues) return false
  const customer = await findCustomer(work, customerId)
  return customer?.email?.split('@')[0]?.endsWith(SANDBOX_PROCESSING_SUFFIX) ?? false
}

/** Settles, in a job, the signature request of an accepted retry, unless it has ended in the meantime. */
export type Settler = Readonly<{
  operation: string
  settle(work: Work, known: SignatureRequest): Promise<void>
}>

/** Runs after the operation's own locks, because the wallet's lock comes last in the lock order. */
async function lockProcessing(
  { tx, platform }: Work,
  { id, accountId }: SignatureRequest,
): Promise<SignatureRequest | undefined> {
  await lockWallet(tx, platform.id, accountId)
  const request = await findSignatureRequest(tx, platform.id, id)
  return request?.state === 'PROCESSING' ? request : undefined
}

export function settlerOf<S extends HasWallet, R extends Reply>(
  operation: SignedOperation<S, R>,
): Settler {
  return {
    operation: operation.id,
    async settle(work, known) {
      const input = { resourceId: known.resourceId, body: readBody(work, known) }
      const settled = await attempt(work, async (inside) => {
        const subject = await operation.find(inside, input)
        const request = await lockProcessing(inside, known)
        if (!request) return undefined
        mustPass(await operation.check?.(inside, { subject, call: 'RETRY', request }))
        const isDeliveredLater = operation.answersOnce?.(subject) ?? false
        const answer = isDeliveredLater
          ? undefined
          : await operation.perform(inside, { subject, request })
        return { request, answer }
      })
      if (settled.ok) {
        if (settled.result) saveAnswer(work, settled.result)
        return
      }
      // The refused attempt has released its locks.
      const request = await lockProcessing(work, known)
      if (request) saveAnswer(work, { request, answer: errorReply(settled.error) })
    },
  }
}

function saveAnswer(
  work: Work,
  { request, answer }: Readonly<{ request: SignatureRequest; answer: Reply | undefined }>,
): void {
  const { id, stampDigest } = request
  const sealed = answer && requestReply.seal(work.keyring, JSON.stringify(answer), id)
  moveSignatureRequest(work, request, { event: 'settle', stampDigest, reply: sealed ?? null })
}

/** An Idempotency-Key stores only a final answer, and none with sealed material (SIGN-12, VRFY-11, EXPT-6). */
export function isFinal({ status, body }: Reply): boolean {
  if (status === 202 || status === 401) return false
  const shown = (body ?? {}) as Readonly<Record<string, unknown>>
  const isSealed = 'encryptedSessionSigningKey' in shown || 'encryptedWalletCredentials' in shown
  return !isSealed && shown['status'] !== 'PROCESSING'
}
