/**
 * The signed retry (chapter 20, SIGN): the first leg answers what is to be signed, the retry with stamp and Request-Id
 * takes effect, once. Where that takes its time the answer is PROCESSING, and a job settles it.
 */
import { addMs } from '../../../kernel/clock.ts'
import { refusalToError, type Refusal } from '../../../kernel/errors.ts'
import { parseId } from '../../../kernel/ids.ts'
import { payloadToSign } from '../../../crypto/wallet/payload-to-sign.ts'
import { SANDBOX_PROCESSING_SUFFIX } from '../../../crypto/wallet/sandbox-values.ts'
import { errorReply } from '../../../infra/http/error-reply.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { attempt } from '../../../infra/attempt.ts'
import type { Work } from '../../../infra/work.ts'
import { findCustomer } from '../../customers/index.ts'
import { settleRequestJob } from '../job-definitions.ts'
import type { Session } from '../credentials/auth-method.ts'
import { decideRetry, judgeRetry, type SignerProblem } from './judge-retry.ts'
import {
  challengeToWire,
  isUsable,
  openSignatureRequest,
  readBody,
  type WireChallenge,
} from './signature-request.ts'
import { findSignatureRequest, saveSignatureRequest, type SignatureRequest } from './store.ts'
import { PROCESSING_MS } from '../rules.ts'
import { requestReply } from '../secrets.ts'
import type { DraftedAct, SignedAct, SignedInput } from './signed-act.ts'
import { readSignedHeaders, type Headers, type SignedHeaders } from './signed-headers.ts'
import type { Wallet } from '../wallets/wallet.ts'

export type WireProcessing = { status: 'PROCESSING'; message: string }
export type Processing = Reply<200, WireProcessing>

export const processing = (): Processing =>
  reply(200, {
    status: 'PROCESSING',
    message: 'The operation is being worked on. Send the identical request again.',
  })

type HasWallet = Readonly<{ wallet: Wallet }>
type Legs<R extends Reply> = R | Reply<202, WireChallenge> | Processing | Refusal

export async function runSigned<S extends HasWallet, R extends Reply>(
  work: Work,
  act: DraftedAct<S, R>,
  { headers, ...input }: SignedInput & { headers: Headers },
): Promise<Legs<R>> {
  const given = readSignedHeaders(headers)
  const settled = await findSettledAnswer<R>(work, { act, input, given })
  if (settled) return settled
  const subject = await act.find(work, input)
  const isNeeded = act.needsSignature?.(subject) ?? true
  if (!isNeeded && !(await namesPending(work, { act, input, given }))) {
    const refusal = await act.check?.(work, { subject, leg: 'FIRST' })
    return refusal ?? act.perform(work, { subject })
  }
  const isFirst = given.stamp === undefined && given.requestId === undefined
  return isFirst
    ? askForSignature(work, act, { subject, input })
    : takeRetry(work, act, { subject, input, given })
}

type Asked = Readonly<{
  act: Readonly<{ operation: string }>
  input: SignedInput
  given: SignedHeaders
}>

async function findNamed(
  { tx, platform }: Work,
  { requestId }: SignedHeaders,
): Promise<SignatureRequest | undefined> {
  const id = requestId === undefined ? undefined : parseId('request', requestId)
  return id && (await findSignatureRequest(tx, platform.id, id))
}

/**
 * SIGN-10: what a job settled is answered before anything is looked for, since what was revoked is gone by then. A
 * final answer never changes, so no lock is needed to read it.
 */
async function findSettledAnswer<R extends Reply>(
  work: Work,
  { act, input, given }: Asked,
): Promise<R | undefined> {
  const { stamp: stampText } = given
  const request = stampText === undefined ? undefined : await findNamed(work, given)
  if (stampText === undefined || !request?.reply) return undefined
  const signerProblemOf = () => 'Session may not sign this request' as const
  const retry = { ...input, operation: act.operation, stampText, signerProblemOf }
  const verdict = decideRetry(work, retry, { request, session: undefined })
  return verdict.ok ? openReply<R>(work, request.id, request.reply) : undefined
}

const openReply = <R extends Reply>({ keyring }: Work, id: string, sealed: Buffer): R =>
  JSON.parse(requestReply.open(keyring, sealed, id).toString('utf8')) as R

/** SIGN-16: the retry of a pending Request is judged as one, whatever is needed by then. */
async function namesPending(work: Work, it: Asked): Promise<boolean> {
  const request = await findNamed(work, it.given)
  return (
    request?.operation === it.act.operation &&
    request.resourceId === it.input.resourceId &&
    isUsable(request, work.now)
  )
}

/** SIGN-1: no effect besides the Request. */
async function askForSignature<S extends HasWallet, R extends Reply>(
  work: Work,
  act: DraftedAct<S, R>,
  { subject, input }: { subject: S; input: SignedInput },
): Promise<Reply<202, WireChallenge> | Refusal> {
  const refusal = await act.check?.(work, { subject, leg: 'FIRST' })
  if (refusal) return refusal
  const { wallet } = subject
  const { activity, type, credentialId, context } = act.draft(subject)
  const { organizationId } = wallet
  const request = openSignatureRequest(work, {
    operation: act.operation,
    resourceId: input.resourceId,
    body: input.body,
    wallet,
    credentialId,
    context,
    payload: ({ id }) => payloadToSign({ organizationId, activity, requestId: id, at: work.now }),
  })
  return reply(202, challengeToWire(request, type))
}

type Given<S> = Readonly<{ subject: S; input: SignedInput; given: SignedHeaders }>

/** Judges a signed retry and settles it at most once, however often it is sent (SIGN-2 to SIGN-11). */
export async function takeRetry<S extends HasWallet, R extends Reply>(
  work: Work,
  act: SignedAct<S, R>,
  { subject, input, given }: Given<S>,
): Promise<R | Processing | Refusal> {
  const { wallet } = subject
  const verdict = await judgeRetry(work, {
    operation: act.operation,
    resourceId: input.resourceId,
    body: input.body,
    headers: given,
    wallet,
    signerProblemOf: (session) => signerProblemOf(act, session, subject),
  })
  if (!verdict.ok) return verdict
  const { request, stampDigest } = verdict
  if (verdict.again) return repeat(work, act, { subject, request })
  const refusal = await act.check?.(work, { subject, leg: 'RETRY', request })
  if (refusal) return refusal
  if (await isProcessedAsync(work, wallet)) {
    const { tx, platform, now } = work
    saveSignatureRequest(tx, platform.id, {
      id: request.id,
      state: 'PROCESSING',
      stampDigest,
      reply: null,
    })
    const dueAt = addMs(now, PROCESSING_MS)
    enqueue(work, settleRequestJob, { requestId: request.id }, { dueAt })
    return processing()
  }
  return settleNow(work, act, { subject, request })
}

/** A passkey login without user verification may not sign what cannot be undone (SIGN-6, VRFY-18). */
function signerProblemOf<S extends HasWallet, R extends Reply>(
  act: SignedAct<S, R>,
  session: Session,
  subject: S,
): SignerProblem | undefined {
  if (act.maySign?.(session, subject) === false) return 'Session may not sign this request'
  const isProofMissing = !session.isUserVerified && act.needsUserVerification?.(session, subject)
  return isProofMissing ? 'User verification is required' : undefined
}

type Accepted<S> = Readonly<{ subject: S; request: SignatureRequest }>

async function settleNow<S extends HasWallet, R extends Reply>(
  work: Work,
  act: SignedAct<S, R>,
  { subject, request }: Accepted<S>,
): Promise<R> {
  const answer = await act.perform(work, { subject, request })
  const { id } = request
  const settled = { id, state: 'SETTLED', stampDigest: null, reply: null } as const
  saveSignatureRequest(work.tx, work.platform.id, settled)
  return answer
}

/** SIGN-10: the identical request again. Sealed material goes out with one of them (EXPT-6). */
async function repeat<S extends HasWallet, R extends Reply>(
  work: Work,
  act: SignedAct<S, R>,
  { subject, request }: Accepted<S>,
): Promise<R | Processing | Refusal> {
  if (request.state === 'PROCESSING') return processing()
  if (request.reply === null) {
    const refusal = await act.check?.(work, { subject, leg: 'RETRY', request })
    return refusal ?? settleNow(work, act, { subject, request })
  }
  return openReply<R>(work, request.id, request.reply)
}

/** A sandbox customer whose address asks for it. */
export async function isProcessedAsync(work: Work, { customerId }: Wallet): Promise<boolean> {
  if (work.platform.environment !== 'SANDBOX') return false
  const customer = await findCustomer(work, customerId)
  return customer?.email?.split('@')[0]?.endsWith(SANDBOX_PROCESSING_SUFFIX) ?? false
}

/** How a job finishes what a retry began. */
export type Settler = Readonly<{
  operation: string
  settle(work: Work, request: SignatureRequest): Promise<void>
}>

export function settlerOf<S extends HasWallet, R extends Reply>(act: SignedAct<S, R>): Settler {
  return {
    operation: act.operation,
    async settle(work, request) {
      const { id, resourceId, stampDigest } = request
      const input = { resourceId, body: readBody(work, request) }
      const outcome = await attempt(work, async (inside) => {
        const subject = await act.find(inside, input)
        const refusal = await act.check?.(inside, { subject, leg: 'RETRY', request })
        if (refusal) throw refusalToError(refusal)
        return act.answersOnce?.(subject) ? undefined : act.perform(inside, { subject, request })
      })
      const answer = outcome.ok ? outcome.result : errorReply(outcome.error)
      const sealed = answer && requestReply.seal(work.keyring, JSON.stringify(answer), id)
      const settled = { id, state: 'SETTLED', stampDigest, reply: sealed ?? null } as const
      saveSignatureRequest(work.tx, work.platform.id, settled)
    },
  }
}

/** SIGN-12, VRFY-11, EXPT-6: what an Idempotency-Key keeps of a signed operation is its final answer, nothing sealed. */
export function isFinal({ status, body }: Reply): boolean {
  if (status === 202 || status === 401) return false
  const shown = (body ?? {}) as Readonly<Record<string, unknown>>
  const isSealed = 'encryptedSessionSigningKey' in shown || 'encryptedWalletCredentials' in shown
  return !isSealed && shown['status'] !== 'PROCESSING'
}
