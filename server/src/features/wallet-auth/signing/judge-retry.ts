/**
 * Judges whether headers, body and signature of a signed retry fit its signature request. Refuses:
 * WALLET_SIGNATURE_MISSING, REQUEST_ID_MISSING, WALLET_SIGNATURE_MALFORMED, UNAUTHORIZED (unknown request),
 * WALLET_SIGNATURE_BODY_MISMATCH, WALLET_SIGNATURE_INVALID.
 */
import { hash } from 'node:crypto'
import { refuse, type ErrorCode, type Refusal } from '../../../kernel/errors.ts'
import { parseId, type Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { parsePoint, isSamePoint } from '../../../crypto/wallet/keys/point.ts'
import { SANDBOX_PROOFS } from '../../../crypto/wallet/sandbox-values.ts'
import { parseStamp, verifyStamp, type Stamp } from '../../../crypto/wallet/stamp.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Session } from '../credentials/auth-method.ts'
import { isBodyOf, isUsable } from './signature-request.ts'
import { countFailedRetry, findSignatureRequest, type SignatureRequest } from './store.ts'
import { findActiveSessionByKey } from '../sessions/store.ts'
import type { SignedHeaders } from './signed-operation.ts'
import type { Wallet } from '../wallets/wallet.ts'

export type Retry = Readonly<{
  operation: string
  resourceId: string
  body: unknown
  headers: SignedHeaders
  wallet: Wallet
  /** The reason why a session may not sign; undefined if it may. */
  signerProblemOf: (session: Session) => SignerProblem | undefined
}>

export type SignerProblem = 'Session may not sign this request' | 'User verification is required'

/** `again`: an identical retry was accepted before and is processed asynchronously (SIGN-10). */
export type RetryVerdict =
  | Readonly<{ ok: true; request: SignatureRequest; stampDigest: Buffer; again: boolean }>
  | Refusal

export const unknownRequest = (): Refusal =>
  refuse('UNAUTHORIZED', { reason: 'Request-Id is unknown, expired or already used' })

const SANDBOX_STAMP = Symbol('the literal that passes for a stamp in the sandbox')
type ParsedStamp = Stamp | typeof SANDBOX_STAMP

/** Undefined for a malformed stamp (SIGN-3). */
function readStamp(platform: Platform, text: string): ParsedStamp | undefined {
  const isLiteral = traitsOf(platform).hasMagicValues && text === SANDBOX_PROOFS.stamp
  return isLiteral ? SANDBOX_STAMP : parseStamp(text)
}

/** The compressed key by which a stamp's session is found; undefined if the stamp has none. */
export function signingKeyOf(platform: Platform, stampText: string): string | undefined {
  const stamp = readStamp(platform, stampText)
  return stamp === undefined || stamp === SANDBOX_STAMP ? undefined : stamp.publicKey.compressed
}

/** Checks in the order of SIGN-2 to SIGN-7; every refusal of a known request is counted (SIGN-8). */
export async function judgeRetry(work: Work, retry: Retry): Promise<RetryVerdict> {
  const { tx, platform } = work
  const { stamp: stampText, requestId } = retry.headers
  if (stampText === undefined) return refuse('WALLET_SIGNATURE_MISSING')
  if (requestId === undefined) return refuse('REQUEST_ID_MISSING')
  const id = parseId('request', requestId)
  const publicKey = signingKeyOf(platform, stampText)
  const { accountId } = retry.wallet
  const [request, session] = await Promise.all([
    id && findSignatureRequest(tx, platform.id, id),
    publicKey === undefined
      ? undefined
      : findActiveSessionByKey(tx, platform.id, { accountId, publicKey, now: work.now }),
  ])
  const verdict = decideRetry(work, { ...retry, stampText }, { request, session })
  if (!verdict.ok && verdict.failedRequestId)
    countFailedRetry(tx, platform.id, verdict.failedRequestId)
  return verdict
}

/** The rows for judging a signature. They are read before, so that one query serves many signatures. */
export type SigningFacts = Readonly<{
  /** The request that the retry names. */
  request: SignatureRequest | undefined
  /** The active session on the wallet's account whose key made the stamp. */
  session: Session | undefined
}>

type Judge = Pick<Work, 'platform' | 'now' | 'keyring'>

type StampedRetry = Omit<Retry, 'headers' | 'wallet'> & Readonly<{ stampText: string }>

/** A refusal, with the pending request on which it counts as a failed retry. */
export type RetryRefusal = Refusal & Readonly<{ failedRequestId?: Id<'request'> }>

/** The pure part of judging a retry (SIGN-3 to SIGN-7). */
export function decideRetry(
  judge: Judge,
  retry: StampedRetry,
  facts: SigningFacts,
): Exclude<RetryVerdict, Refusal> | RetryRefusal {
  const { stampText } = retry
  const request = usableRequest(judge, retry, facts.request)
  const stamp = readStamp(judge.platform, stampText)
  const refused = (code: ErrorCode, reason?: string): RetryRefusal => ({
    ...refuse(code, reason === undefined ? undefined : { reason }),
    ...(request?.state === 'PENDING' && { failedRequestId: request.id }),
  })
  if (stamp === undefined) return refused('WALLET_SIGNATURE_MALFORMED')
  if (request === undefined) return unknownRequest()
  const stampDigest = hash('sha256', stampText, 'buffer')
  const isSameBody = isBodyOf(judge, request, retry.body)
  const isPending = request.state === 'PENDING'
  if (!isPending && !(isSameBody && request.stampDigest?.equals(stampDigest)))
    return unknownRequest()
  // A stored answer is only repeated, also after the session has ended; anything else needs it active (SESS-7).
  if (request.reply !== null) return { ok: true, request, stampDigest, again: true }
  if (!isSameBody) return refused('WALLET_SIGNATURE_BODY_MISMATCH')
  const { signerKey } = request.context
  const problem =
    typeof signerKey === 'string'
      ? findKeyProblem({ stamp, signerKey })
      : findSessionProblem({ stamp, session: facts.session, ...retry })
  const reason = problem ?? findSignatureProblem({ stamp, payloadToSign: request.payloadToSign })
  if (reason !== undefined) return refused('WALLET_SIGNATURE_INVALID', reason)
  return { ok: true, request, stampDigest, again: !isPending }
}

/** Unknown, expired, used and foreign requests look alike to the caller (SIGN-4). */
function usableRequest(
  { now }: Judge,
  { operation, resourceId }: StampedRetry,
  request: SignatureRequest | undefined,
): SignatureRequest | undefined {
  if (request?.operation !== operation || request.resourceId !== resourceId) return undefined
  return isUsable(request, now) ? request : undefined
}

/** An OTP login is signed by the key in its sealed bundle (VRFY-5). */
function findKeyProblem({ stamp, signerKey }: { stamp: ParsedStamp; signerKey: string }) {
  if (stamp === SANDBOX_STAMP) return undefined
  const expected = parsePoint(signerKey)
  return expected && isSamePoint(expected, stamp.publicKey)
    ? undefined
    : 'Signature does not verify'
}

/** Only an active session of the account may sign, and only if the operation allows it (SIGN-6). */
function findSessionProblem({
  stamp,
  session,
  signerProblemOf,
}: Pick<SigningFacts, 'session'> & Pick<Retry, 'signerProblemOf'> & { stamp: ParsedStamp }):
  | string
  | undefined {
  if (stamp === SANDBOX_STAMP) return undefined
  if (session === undefined) return 'Public key has no active session on this account'
  return signerProblemOf(session)
}

/** Verifies over the stored text, since serializing the payload again may change its bytes (SIGN-7). */
function findSignatureProblem({
  stamp,
  payloadToSign,
}: {
  stamp: ParsedStamp
  payloadToSign: string
}): string | undefined {
  if (stamp === SANDBOX_STAMP || verifyStamp(stamp, payloadToSign)) return undefined
  return 'Signature does not verify'
}

/** Judges a stamp over a quote's own payload, without a signature request (SIGN-19). */
export function decideStamp(
  { platform }: Pick<Judge, 'platform'>,
  { stampText, payloadToSign }: { stampText: string; payloadToSign: string },
  { session }: Pick<SigningFacts, 'session'>,
): Refusal | undefined {
  const stamp = readStamp(platform, stampText)
  if (stamp === undefined) return refuse('WALLET_SIGNATURE_MALFORMED')
  const reason =
    findSessionProblem({ stamp, session, signerProblemOf: () => undefined }) ??
    findSignatureProblem({ stamp, payloadToSign })
  return reason === undefined ? undefined : refuse('WALLET_SIGNATURE_INVALID', { reason })
}
