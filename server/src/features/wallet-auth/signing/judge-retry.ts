/**
 * A signed retry: whether its headers, body and signature are those that the Request waits for. Refuses with
 * WALLET_SIGNATURE_MISSING, REQUEST_ID_MISSING, WALLET_SIGNATURE_MALFORMED, UNAUTHORIZED (unknown Request),
 * WALLET_SIGNATURE_BODY_MISMATCH, WALLET_SIGNATURE_INVALID.
 */
import { hash } from 'node:crypto'
import { refuse, type ErrorCode, type Refusal } from '../../../kernel/errors.ts'
import { parseId, type Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { parsePoint, isSamePoint } from '../../../crypto/wallet/keys/point.ts'
import { SANDBOX_PROOFS } from '../../../crypto/wallet/sandbox-values.ts'
import { parseStamp, verifyStamp, type Stamp } from '../../../crypto/wallet/stamp.ts'
import type { Work } from '../../../infra/work.ts'
import type { Session } from '../credentials/auth-method.ts'
import { isBodyOf, isUsable } from './signature-request.ts'
import { countFailedRetry, findSignatureRequest, type SignatureRequest } from './store.ts'
import { findActiveSessionByKey } from '../sessions/store.ts'
import type { SignedHeaders } from './signed-headers.ts'
import type { Wallet } from '../wallets/wallet.ts'

export type Retry = Readonly<{
  operation: string
  resourceId: string
  body: unknown
  headers: SignedHeaders
  wallet: Wallet
  /** Why this session may not sign it, where it may not. */
  signerProblemOf: (session: Session) => SignerProblem | undefined
}>

export type SignerProblem = 'Session may not sign this request' | 'User verification is required'

/** `again`: the very retry that was accepted before and took its time (SIGN-10). */
export type RetryVerdict =
  Readonly<{ ok: true; request: SignatureRequest; stampDigest: Buffer; again: boolean }> | Refusal

export const unknownRequest = (): Refusal =>
  refuse('UNAUTHORIZED', { reason: 'Request-Id is unknown, expired or already used' })

const SANDBOX_STAMP = Symbol('the literal that passes for a stamp in the sandbox')
type GivenStamp = Stamp | typeof SANDBOX_STAMP

/** SIGN-3. Undefined for what is not of the form. */
function readStamp({ environment }: Platform, text: string): GivenStamp | undefined {
  const isLiteral = environment === 'SANDBOX' && text === SANDBOX_PROOFS.stamp
  return isLiteral ? SANDBOX_STAMP : parseStamp(text)
}

/** The key by which a stamp's session is found, compressed; undefined where there is none to find. */
export function signingKeyOf(platform: Platform, stampText: string): string | undefined {
  const stamp = readStamp(platform, stampText)
  return stamp === undefined || stamp === SANDBOX_STAMP ? undefined : stamp.publicKey.compressed
}

/** SIGN-2 to SIGN-7, in this order; every refusal of a known Request is counted (SIGN-8). */
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
  if (!verdict.ok && verdict.volumeDay) countFailedRetry(tx, platform.id, verdict.volumeDay)
  return verdict
}

/** What a signature is judged by. It is read beforehand, so that those of many can be read at once. */
export type Known = Readonly<{
  /** The one that the retry names. */
  request: SignatureRequest | undefined
  /** The active one on the wallet's account whose key made the stamp. */
  session: Session | undefined
}>

type Judge = Pick<Work, 'platform' | 'now' | 'keyring'>

type StampedRetry = Omit<Retry, 'headers' | 'wallet'> & Readonly<{ stampText: string }>

/** A refusal, and the pending Request on which it counts as a failed retry. */
export type RetryRefusal = Refusal & Readonly<{ volumeDay?: Id<'request'> }>

/** SIGN-3 to SIGN-7, without reading or writing anything. */
export function decideRetry(
  judge: Judge,
  retry: StampedRetry,
  known: Known,
): Exclude<RetryVerdict, Refusal> | RetryRefusal {
  const { stampText } = retry
  const request = usableOf(judge, retry, known.request)
  const stamp = readStamp(judge.platform, stampText)
  const refused = (code: ErrorCode, reason?: string): RetryRefusal => ({
    ...refuse(code, reason === undefined ? undefined : { reason }),
    ...(request?.state === 'PENDING' && { volumeDay: request.id }),
  })
  if (stamp === undefined) return refused('WALLET_SIGNATURE_MALFORMED')
  if (request === undefined) return unknownRequest()
  const stampDigest = hash('sha256', stampText, 'buffer')
  const isSameBody = isBodyOf(judge, request, retry.body)
  if (request.state !== 'PENDING') {
    const again = isSameBody && request.stampDigest?.equals(stampDigest) === true
    return again ? { ok: true, request, stampDigest, again } : unknownRequest()
  }
  if (!isSameBody) return refused('WALLET_SIGNATURE_BODY_MISMATCH')
  const { signerKey } = request.context
  const problem =
    typeof signerKey === 'string'
      ? findKeyProblem({ stamp, signerKey })
      : findSessionProblem({ stamp, session: known.session, ...retry })
  const reason = problem ?? findSignatureProblem({ stamp, payloadToSign: request.payloadToSign })
  if (reason !== undefined) return refused('WALLET_SIGNATURE_INVALID', reason)
  return { ok: true, request, stampDigest, again: false }
}

/** Unknown, expired, used and foreign Requests look alike to the caller (SIGN-4). */
function usableOf(
  { now }: Judge,
  { operation, resourceId }: StampedRetry,
  request: SignatureRequest | undefined,
): SignatureRequest | undefined {
  if (request?.operation !== operation || request.resourceId !== resourceId) return undefined
  return isUsable(request, now) ? request : undefined
}

/** VRFY-5: of an OTP login, the key that the code was sealed with. */
function findKeyProblem({ stamp, signerKey }: { stamp: GivenStamp; signerKey: string }) {
  if (stamp === SANDBOX_STAMP) return undefined
  const named = parsePoint(signerKey)
  return named && isSamePoint(named, stamp.publicKey) ? undefined : 'Signature does not verify'
}

/** Only an active session of the account may sign, and only what the operation allows it (SIGN-6). */
function findSessionProblem({
  stamp,
  session,
  signerProblemOf,
}: Pick<Known, 'session'> & Pick<Retry, 'signerProblemOf'> & { stamp: GivenStamp }):
  string | undefined {
  if (stamp === SANDBOX_STAMP) return undefined
  if (session === undefined) return 'Public key has no active session on this account'
  return signerProblemOf(session)
}

/** Verifies over the stored text, since a re-serialized payload is another one (SIGN-7). */
function findSignatureProblem({
  stamp,
  payloadToSign,
}: {
  stamp: GivenStamp
  payloadToSign: string
}): string | undefined {
  if (stamp === SANDBOX_STAMP || verifyStamp(stamp, payloadToSign)) return undefined
  return 'Signature does not verify'
}

/** The same for a payload that is no Request's: a quote's own (SIGN-19). */
export function decideStamp(
  { platform }: Pick<Judge, 'platform'>,
  { stampText, payloadToSign }: { stampText: string; payloadToSign: string },
  { session }: Pick<Known, 'session'>,
): Refusal | undefined {
  const stamp = readStamp(platform, stampText)
  if (stamp === undefined) return refuse('WALLET_SIGNATURE_MALFORMED')
  const reason =
    findSessionProblem({ stamp, session, signerProblemOf: () => undefined }) ??
    findSignatureProblem({ stamp, payloadToSign })
  return reason === undefined ? undefined : refuse('WALLET_SIGNATURE_INVALID', { reason })
}
