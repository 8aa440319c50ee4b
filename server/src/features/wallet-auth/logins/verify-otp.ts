/**
 * A login with a code: first the sealed code, then the device's signature over a token (VRFY-2 to VRFY-5).
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
import type { Work } from '../../../infra/work.ts'
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
import { listPendingRequests } from '../signing/store.ts'
import { WRONG_CODES_MAX } from '../rules.ts'
import { takeRetry, type Processing } from '../signing/run-signed.ts'
import { otpTarget } from '../secrets.ts'
import type { SignedAct } from '../signing/signed-act.ts'
import type { SignedHeaders } from '../signing/signed-headers.ts'
import { signerOf } from '../wallets/signer.ts'
import type { Wallet } from '../wallets/wallet.ts'
import type { WireSession } from '../wire.ts'

type Subject = Readonly<{ wallet: Wallet; credential: OtpCredential }>

/** The second leg: the key in the sealed bundle is the one that must have signed. */
export const otpLogin: SignedAct<Subject, Reply<200, WireSession>> = {
  operation: VERIFY_OPERATION,
  async find(work, { resourceId }) {
    const { wallet, credential } = await mustLockCredential(work, asId('authMethod', resourceId))
    invariant(isOtp(credential), 'Only a login with a code is signed.')
    return { wallet, credential }
  },
  async perform(work, { subject: { credential }, request }) {
    const signerKey = request?.context['signerKey']
    invariant(typeof signerKey === 'string', 'The Request of a login names the key of the device.')
    const { accountId, id: credentialId, type, nickname } = credential
    const origin = { accountId, credentialId, type, nickname, isUserVerified: true }
    return reply(200, await issueSession(work, { origin, clientKey: clientKeyOf(signerKey) }))
  },
}

type Asked = Subject & Readonly<{ body: { encryptedOtpBundle: string }; given: SignedHeaders }>

export async function verifyOtp(
  work: Work,
  { wallet, credential, body, given }: Asked,
): Promise<Reply<200, WireSession> | Reply<202, WireChallenge> | Processing | Refusal> {
  const sealed = parseEncryptedOtpBundle(body.encryptedOtpBundle)
  if (sealed === undefined) {
    const message = 'must hold JSON with encappedPublic, a point of the curve, and ciphertext'
    return failFields([{ field: 'encryptedOtpBundle', message }])
  }
  const subject = { wallet, credential }
  if (given.stamp !== undefined || given.requestId !== undefined) {
    const input = { resourceId: credential.id, body }
    return takeRetry(work, otpLogin, { subject, input, given })
  }
  return (
    (await repeatFirstLeg(work, { credential, body })) ??
    takeCode(work, { ...subject, body, sealed })
  )
}

/** VRFY-4: a lost answer does not cost a new code. */
async function repeatFirstLeg(
  work: Work,
  { credential, body }: Pick<Asked, 'credential' | 'body'>,
): Promise<Reply<202, WireChallenge> | undefined> {
  const { tx, platform, now } = work
  const pending = await listPendingRequests(tx, platform.id, {
    operation: VERIFY_OPERATION,
    resourceId: credential.id,
    now,
  })
  const same = pending.find((one) => isUsable(one, now) && isBodyOf(work, one, body))
  return same && reply(202, challengeToWire(same, credential.type))
}

type Coded = Subject & Readonly<{ body: unknown; sealed: Sealed }>

async function takeCode(work: Work, it: Coded): Promise<Reply<202, WireChallenge> | Refusal> {
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
  return askForLogin(work, { ...it, publicKey: opened.publicKey })
}

const isInForce = ({ readyAt, expiresAt, wrongCodes }: Otp, now: Date): boolean =>
  isPast({ deadline: readyAt, now }) &&
  !isPast({ deadline: expiresAt, now }) &&
  wrongCodes < WRONG_CODES_MAX

async function askForLogin(
  work: Work,
  { wallet, credential, body, publicKey }: Coded & { publicKey: Point },
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
