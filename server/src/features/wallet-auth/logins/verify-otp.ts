/**
 * Logs in with a code: the first call brings the sealed code, the retry the device's signature over a token
 * (VRFY-2 to VRFY-5).
 * Fails: INVALID_INPUT. Refuses: UNAUTHORIZED with its reason, and what a signed retry is refused with.
 */
import { randomUUID } from 'node:crypto'
import { isPast } from '../../../kernel/clock.ts'
import { failFields, refuse, type Refusal } from '../../../kernel/errors.ts'
import { asId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { codeMatches } from '../../../crypto/codes/one-time-code.ts'
import {
  openOtpBundle,
  parseEncryptedOtpBundle,
} from '../../../crypto/wallet/bundles/encrypted-otp.ts'
import type { Sealed } from '../../../crypto/wallet/bundles/hpke.ts'
import { keyPairOf } from '../../../crypto/wallet/keys/key-pair.ts'
import type { Point } from '../../../crypto/wallet/keys/point.ts'
import { verificationToken } from '../../../crypto/wallet/verification-token.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { OtpCredential } from '../credentials/auth-method.ts'
import { isOtp } from '../credentials/auth-method.ts'
import { otpContext, VERIFY_OPERATION } from './challenge-credential.ts'
import { clientKeyOf } from '../sessions/client-key.ts'
import { mustLockCredential } from '../wallets/lock.ts'
import { issueSession } from '../sessions/issue-session.ts'
import { deleteOtp, findOtp, replaceOtp, type Otp } from './otp-store.ts'
import {
  challengeToWire,
  isBodyOf,
  isUsable,
  openSignatureRequest,
  type WireChallenge,
} from '../signing/signature-request.ts'
import { listPendingSignatureRequests } from '../signing/store.ts'
import { WRONG_CODES_MAX } from '../rules.ts'
import { takeRetry, type Processing } from '../signing/run-signed.ts'
import { otpTarget } from '../secrets.ts'
import type { SignedHeaders, SignedOperation } from '../signing/signed-operation.ts'
import { signerOf } from '../wallets/signer.ts'
import type { Wallet } from '../wallets/wallet.ts'
import type { WireSession } from '../wire.ts'

type Subject = Readonly<{ wallet: Wallet; credential: OtpCredential }>

/** The signed retry of an OTP login: the key in the sealed bundle must have signed it. */
export const otpLogin: SignedOperation<Subject, Reply<200, WireSession>> = {
  id: VERIFY_OPERATION,
  async find(work, { resourceId }) {
    const { wallet, credential } = await mustLockCredential(work, asId('authMethod', resourceId))
    invariant(isOtp(credential), 'Only a login with a code is signed.')
    return { wallet, credential }
  },
  async perform(work, { subject: { credential }, request }) {
    const signerKey = request?.context['signerKey']
    invariant(
      typeof signerKey === 'string',
      'The signature request of a login names the key of the device.',
    )
    const { accountId, id: credentialId, type, nickname } = credential
    const origin = { accountId, credentialId, type, nickname, isUserVerified: true }
    return reply(200, await issueSession(work, { origin, clientKey: clientKeyOf(signerKey) }))
  },
}

type OtpProof = Subject & Readonly<{ body: { encryptedOtpBundle: string }; headers: SignedHeaders }>

export async function verifyOtp(
  work: Work,
  { wallet, credential, body, headers }: OtpProof,
): Promise<Reply<200, WireSession> | Reply<202, WireChallenge> | Processing | Refusal> {
  const sealed = parseEncryptedOtpBundle(body.encryptedOtpBundle)
  if (sealed === undefined) {
    const message = 'must hold JSON with encappedPublic, a point of the curve, and ciphertext'
    return failFields([{ field: 'encryptedOtpBundle', message }])
  }
  const subject = { wallet, credential }
  if (headers.stamp !== undefined || headers.requestId !== undefined) {
    const input = { resourceId: credential.id, body }
    return takeRetry(work, otpLogin, { subject, input, headers })
  }
  return (
    (await repeatFirstCall(work, { credential, body })) ??
    checkCode(work, { ...subject, body, sealed })
  )
}

/** The identical first call gets the same challenge, so that a lost answer does not cost a new code (VRFY-4). */
async function repeatFirstCall(
  work: Work,
  { credential, body }: Pick<OtpProof, 'credential' | 'body'>,
): Promise<Reply<202, WireChallenge> | undefined> {
  const { tx, platform, now } = work
  const pending = await listPendingSignatureRequests(tx, platform.id, {
    operation: VERIFY_OPERATION,
    resourceId: credential.id,
    now,
  })
  const same = pending.find((one) => isUsable(one, now) && isBodyOf(work, one, body))
  return same && reply(202, challengeToWire(same, credential.type))
}

type SealedCode = Subject & Readonly<{ body: unknown; sealed: Sealed }>

async function checkCode(work: Work, it: SealedCode): Promise<Reply<202, WireChallenge> | Refusal> {
  const { tx, platform, keyring, now } = work
  const otp = await findOtp(tx, platform.id, it.credential.id)
  if (otp === undefined || !isInForce(otp, now)) {
    return refuse('UNAUTHORIZED', { reason: 'No pending OTP for this credential' })
  }
  const scalar = otpTarget.open(keyring, otp.targetScalar, otp.id)
  const opened = await openOtpBundle(keyPairOf(scalar), it.sealed)
  scalar.fill(0)
  const expected = { context: otpContext(otp), digest: otp.codeDigest }
  const isRight = opened !== undefined && codeMatches(keyring, opened.code, expected)
  if (!isRight) {
    replaceOtp(tx, platform.id, { ...otp, wrongCodes: otp.wrongCodes + 1 })
    const reason = opened ? 'Invalid OTP code' : 'OTP bundle could not be decrypted'
    return refuse('UNAUTHORIZED', { reason })
  }
  if (opened.publicKey === undefined) {
    const message = 'must hold a public_key that is a point of the curve'
    return failFields([{ field: 'encryptedOtpBundle', message }])
  }
  await deleteOtp(tx, platform.id, otp)
  return requestLoginSignature(work, { ...it, publicKey: opened.publicKey })
}

const isInForce = ({ readyAt, expiresAt, wrongCodes }: Otp, now: Date): boolean =>
  isPast({ deadline: readyAt, now }) &&
  !isPast({ deadline: expiresAt, now }) &&
  wrongCodes < WRONG_CODES_MAX

async function requestLoginSignature(
  work: Work,
  { wallet, credential, body, publicKey }: SealedCode & { publicKey: Point },
): Promise<Reply<202, WireChallenge>> {
  const signer = await signerOf(work)
  const { type, nickname: contact } = credential
  const { organizationId } = wallet
  const request = openSignatureRequest(work, {
    operation: VERIFY_OPERATION,
    resourceId: credential.id,
    wallet,
    body,
    credentialId: credential.id,
    context: { signerKey: publicKey.compressed },
    payload: ({ expiresAt }) =>
      verificationToken(signer, {
        id: randomUUID(),
        type,
        contact,
        organizationId,
        publicKey,
        expiresAt,
      }),
  })
  return reply(202, challengeToWire(request, type))
}
