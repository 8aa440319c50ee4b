/**
 * A signed retry: whether its headers, body and signature are those that the Request waits for. Refuses with
 * WALLET_SIGNATURE_MISSING, REQUEST_ID_MISSING, WALLET_SIGNATURE_MALFORMED, UNAUTHORIZED (unknown Request),
 * WALLET_SIGNATURE_BODY_MISMATCH, WALLET_SIGNATURE_INVALID.
 */
import { hash } from 'node:crypto'
import { refuse, type ErrorCode, type Refusal } from '../../kernel/errors.ts'
import { parseId } from '../../kernel/ids.ts'
import { parsePoint, isSamePoint } from '../../crypto/wallet/point.ts'
import { SANDBOX_PROOFS } from '../../crypto/wallet/sandbox-values.ts'
import { parseStamp, verifyStamp, type Stamp } from '../../crypto/wallet/stamp.ts'
import type { Work } from '../../infra/work.ts'
import type { Session } from './auth-method.ts'
import { isBodyOf, isUsable } from './request.ts'
import { countFailedRetry, findRequest, type StoredRequest } from './request-store.ts'
import { findActiveSessionByKey } from './session-store.ts'
import type { SignedHeaders } from './signed-headers.ts'
import type { Wallet } from './wallet.ts'

export type Retry = Readonly<{
  operation: string
  resourceId: string
  body: unknown
  headers: SignedHeaders
  wallet: Wallet
  maySign: (session: Session) => boolean
}>

/** `again`: the very retry that was accepted before and took its time (SIGN-10). */
export type RetryVerdict =
  Readonly<{ ok: true; request: StoredRequest; stampDigest: Buffer; again: boolean }> | Refusal

export const unknownRequest = (): Refusal =>
  refuse('UNAUTHORIZED', { reason: 'Request-Id is unknown, expired or already used' })

const SANDBOX_STAMP = Symbol('the literal that passes for a stamp in the sandbox')
type GivenStamp = Stamp | typeof SANDBOX_STAMP

/** SIGN-3. Undefined for what is not of the form. */
function readStamp({ platform }: Pick<Work, 'platform'>, text: string): GivenStamp | undefined {
  const isLiteral = platform.environment === 'SANDBOX' && text === SANDBOX_PROOFS.stamp
  return isLiteral ? SANDBOX_STAMP : parseStamp(text)
}

/** SIGN-2 to SIGN-7, in this order; every refusal of a known Request is counted (SIGN-8). */
export async function judgeRetry(work: Work, retry: Retry): Promise<RetryVerdict> {
  const { stamp: stampText, requestId } = retry.headers
  if (stampText === undefined) return refuse('WALLET_SIGNATURE_MISSING')
  if (requestId === undefined) return refuse('REQUEST_ID_MISSING')
  const request = await findUsable(work, retry, requestId)
  const stamp = readStamp(work, stampText)
  const refused = (code: ErrorCode, reason?: string): Refusal => {
    if (request?.state === 'PENDING') countFailedRetry(work.tx, work.platform.id, request.id)
    return refuse(code, reason === undefined ? undefined : { reason })
  }
  if (stamp === undefined) return refused('WALLET_SIGNATURE_MALFORMED')
  if (request === undefined) return unknownRequest()
  const stampDigest = hash('sha256', stampText, 'buffer')
  const isSameBody = isBodyOf(work, request, retry.body)
  if (request.state !== 'PENDING') {
    const again = isSameBody && request.stampDigest?.equals(stampDigest) === true
    return again ? { ok: true, request, stampDigest, again } : unknownRequest()
  }
  if (!isSameBody) return refused('WALLET_SIGNATURE_BODY_MISMATCH')
  const problem = await findSignatureProblem(work, { stamp, request, retry })
  if (problem !== undefined) return refused('WALLET_SIGNATURE_INVALID', problem)
  return { ok: true, request, stampDigest, again: false }
}

/** SIGN-4. */
async function findUsable(
  { tx, platform, now }: Work,
  { operation, resourceId }: Retry,
  text: string,
): Promise<StoredRequest | undefined> {
  const id = parseId('request', text)
  const request = id && (await findRequest(tx, platform.id, id))
  if (request?.operation !== operation || request.resourceId !== resourceId) return undefined
  return isUsable(request, now) ? request : undefined
}

type Signed = Readonly<{ stamp: GivenStamp; request: StoredRequest; retry: Retry }>

/** SIGN-6, SIGN-7; of an OTP login VRFY-5. */
async function findSignatureProblem(
  work: Work,
  { stamp, request, retry }: Signed,
): Promise<string | undefined> {
  if (stamp === SANDBOX_STAMP) return undefined
  const { signerKey } = request.context
  const named = typeof signerKey === 'string' ? parsePoint(signerKey) : undefined
  const problem =
    named === undefined
      ? await findSessionProblem(work, { stamp, retry })
      : isSamePoint(named, stamp.publicKey)
        ? undefined
        : 'Signature does not verify'
  if (problem !== undefined) return problem
  return verifyStamp(stamp, request.payloadToSign) ? undefined : 'Signature does not verify'
}

async function findSessionProblem(
  { tx, platform, now }: Work,
  { stamp, retry }: { stamp: Stamp; retry: Pick<Retry, 'wallet' | 'maySign'> },
): Promise<string | undefined> {
  const { accountId } = retry.wallet
  const publicKey = stamp.publicKey.compressed
  const session = await findActiveSessionByKey(tx, platform.id, { accountId, publicKey, now })
  if (session === undefined) return 'Public key has no active session on this account'
  return retry.maySign(session) ? undefined : 'Session may not sign this request'
}

/** The same for a payload that is no Request's: a quote's own (SIGN-19). */
export async function judgeStamp(
  work: Work,
  {
    stampText,
    payloadToSign,
    wallet,
  }: { stampText: string; payloadToSign: string; wallet: Wallet },
): Promise<Refusal | undefined> {
  const stamp = readStamp(work, stampText)
  if (stamp === undefined) return refuse('WALLET_SIGNATURE_MALFORMED')
  if (stamp === SANDBOX_STAMP) return undefined
  const reason =
    (await findSessionProblem(work, { stamp, retry: { wallet, maySign: () => true } })) ??
    (verifyStamp(stamp, payloadToSign) ? undefined : 'Signature does not verify')
  return reason === undefined ? undefined : refuse('WALLET_SIGNATURE_INVALID', { reason })
}
