import { parseId } from '../../../kernel/ids.ts'
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import {
  isCredentialId,
  type AssertionResponse,
  type AssertionVerdict,
} from '../../../crypto/passkey/verify-assertion.ts'
import { verifyWalletAssertion } from '../../../crypto/passkey/wallet-passkey.ts'
import { SANDBOX_PROOFS } from '../../../crypto/wallet/sandbox-values.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import type { Work } from '../../../infra/work/work.ts'
import { readPasskeyOrigins } from '../../platform/index.ts'
import type { PasskeyCredential } from '../credentials/auth-method.ts'
import { VERIFY_OPERATION } from './challenge-credential.ts'
import { clientKeyOf } from '../sessions/client-key.ts'
import { saveCounter } from '../credentials/store.ts'
import { issueSession } from '../sessions/issue-session.ts'
import { unknownRequest } from '../signing/judge-retry.ts'
import { isUsable, moveSignatureRequest } from '../signing/signature-request.ts'
import { findSignatureRequest, type SignatureRequest } from '../signing/store.ts'
import type { SignedHeaders } from '../signing/signed-operation.ts'
import type { WireSession } from '../wire.ts'

type PasskeyProof = Readonly<{
  credential: PasskeyCredential
  assertion: AssertionResponse
  headers: SignedHeaders
}>

/**
 * Logs in with the challenge of a signature request, signed by the passkey; only a success uses the challenge up
 * (VRFY-8 to VRFY-10).
 * Refuses: REQUEST_ID_MISSING, UNAUTHORIZED with its reason.
 */
export async function verifyPasskey(
  work: Work,
  { credential, assertion, headers }: PasskeyProof,
): Promise<Reply<200, WireSession> | Refusal> {
  if (headers.requestId === undefined) return refuse('REQUEST_ID_MISSING')
  const request = await findChallenge(work, { credential, requestId: headers.requestId })
  if (request === undefined) return unknownRequest()
  const verdict = await judgeAssertion(work, { credential, assertion, request })
  if (!verdict.ok) return refuse('UNAUTHORIZED', { reason: verdict.reason })
  const { tx, platform } = work
  moveSignatureRequest(work, request, { event: 'settle' })
  saveCounter(tx, platform.id, { id: credential.id, counter: verdict.counter })
  const { clientPublicKey } = request.context
  invariant(typeof clientPublicKey === 'string', 'A passkey challenge names the key of the device.')
  const { accountId, id: credentialId, type, nickname } = credential
  const { isUserVerified } = verdict
  const origin = { accountId, credentialId, type, nickname, isUserVerified }
  return reply(200, await issueSession(work, { origin, clientKey: clientKeyOf(clientPublicKey) }))
}

async function findChallenge(
  { tx, platform, now }: Work,
  { credential, requestId }: { credential: PasskeyCredential; requestId: string },
): Promise<SignatureRequest | undefined> {
  const id = parseId('request', requestId)
  const request = id && (await findSignatureRequest(tx, platform.id, id))
  const isOfCredential =
    request?.operation === VERIFY_OPERATION && request.resourceId === credential.id
  return isOfCredential && request.state === 'PENDING' && isUsable(request, now)
    ? request
    : undefined
}

async function judgeAssertion(
  work: Work,
  it: Omit<PasskeyProof, 'headers'> & { request: SignatureRequest },
): Promise<AssertionVerdict> {
  const { passkey } = it.credential
  const isLiteral =
    traitsOf(work.platform).hasMagicValues &&
    it.assertion.signature === SANDBOX_PROOFS.passkeySignature
  if (isLiteral) {
    return isCredentialId(it.assertion.credentialId, passkey)
      ? { ok: true, counter: passkey.counter, isUserVerified: true }
      : { ok: false, reason: 'Passkey credential id mismatch' }
  }
  return verifyWalletAssertion({
    response: it.assertion,
    passkey,
    challenge: it.request.payloadToSign,
    configuredOrigins: await readPasskeyOrigins(work),
  })
}
