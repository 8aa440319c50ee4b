/** The step before a login: sends a code, or makes a challenge for the authenticator (CHAL-1 to CHAL-9). */
import { randomUUID } from 'node:crypto'
import { mustBeWithinLimits, type AttemptLimit } from '../../../kernel/access/attempt-limits.ts'
import { addMs, isPast, SECOND_MS } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { digestCode } from '../../../crypto/codes/one-time-code.ts'
import { newOtpCode } from '../../../crypto/codes/otp-code.ts'
import { keyPairOf, newKeyPair } from '../../../crypto/wallet/keys/key-pair.ts'
import { otpTargetBundle } from '../../../crypto/wallet/bundles/otp-target.ts'
import { passkeyLoginChallenge } from '../../../crypto/wallet/payload-to-sign.ts'
import { SANDBOX_PROOFS } from '../../../crypto/wallet/sandbox-values.ts'
import type { Work } from '../../../infra/work/work.ts'
import { readConfig } from '../../platform/index.ts'
import type { Credential, OtpCredential, PasskeyCredential } from '../credentials/auth-method.ts'
import { isOtp } from '../credentials/auth-method.ts'
import { mustHaveClientKey } from '../sessions/client-key.ts'
import { readTimes, saveTimes, type CountedTimes } from '../credentials/store.ts'
import { mustLockCredential } from '../wallets/lock.ts'
import { messengerOf, type Messenger } from './messenger.ts'
import { deleteOtp, findOtp, replaceOtp, type Otp } from './otp-store.ts'
import { openSignatureRequest } from '../signing/signature-request.ts'
import {
  OTP_ISSUE_LIMITS,
  OTP_LIFETIME_SECONDS,
  PASSKEY_CHALLENGE_LIMITS,
  PROCESSING_MS,
} from '../rules.ts'
import { isProcessedAsync } from '../signing/run-signed.ts'
import { otpTarget } from '../secrets.ts'
import { signerOf } from '../wallets/signer.ts'
import type { Wallet } from '../wallets/wallet.ts'
import { credentialToWire, type WireAuthMethod } from '../wire.ts'

export const VERIFY_OPERATION = 'verifyAuthCredential'

export type WirePasskeyChallenge = WireAuthMethod & {
  credentialId: string
  challenge: string
  requestId: string
  expiresAt: string
}
export type WireOtpChallenge = WireAuthMethod & { otpEncryptionTargetBundle: string }

export type Challenged =
  | Readonly<{ kind: 'PROCESSING' }>
  | Readonly<{ kind: 'PASSKEY'; shown: WirePasskeyChallenge }>
  /** The caller sends the code after the commit, and revokes the OTP if that fails. */
  | Readonly<{ kind: 'OTP'; shown: WireOtpChallenge; send?: () => Promise<void>; otp: IssuedOtp }>

/** Identifies an issued OTP, with the time that was counted, so that it can be revoked. */
export type IssuedOtp = Pick<Otp, 'credentialId' | 'id'> & Readonly<{ at: Date }>

/**
 * Issues the code or challenge for a login with this credential. Fails: REFERENCE_NOT_FOUND, INVALID_INPUT (OAUTH, or a passkey
 * without a sound key), RATE_LIMITED, NOT_IMPLEMENTED (no way to send a code).
 */
export async function challengeCredential(
  work: Work,
  { id, body }: { id: Id<'authMethod'>; body: unknown },
): Promise<Challenged> {
  const { wallet, credential } = await mustLockCredential(work, id)
  if (isOtp(credential)) return challengeOtp(work, { wallet, credential })
  if (credential.type === 'OAUTH') {
    return fail('INVALID_INPUT', { reason: 'An OAUTH credential has no challenge step' })
  }
  return challengePasskey(work, { wallet, credential, clientPublicKey: mustHaveClientKey(body) })
}

type Counting = Readonly<{ counted: CountedTimes; limits: readonly AttemptLimit[] }>

/** Counts a challenge against the limits of its credential (CHAL-6). Fails: RATE_LIMITED. */
async function countChallenge(
  { tx, platform, now }: Work,
  { id }: Credential,
  { counted, limits }: Counting,
): Promise<void> {
  const earlier = await readTimes(tx, platform.id, { id, counted })
  const times = mustBeWithinLimits(limits, { times: earlier, now })
  saveTimes(tx, platform.id, { id, counted, times })
}

type PasskeyLogin = Readonly<{
  wallet: Wallet
  credential: PasskeyCredential
  clientPublicKey: string
}>

async function challengePasskey(work: Work, it: PasskeyLogin): Promise<Challenged> {
  const { wallet, credential, clientPublicKey } = it
  const { organizationId } = wallet
  const { credentialId } = credential.passkey
  await countChallenge(work, credential, {
    counted: 'challenged',
    limits: PASSKEY_CHALLENGE_LIMITS,
  })
  const request = openSignatureRequest(work, {
    operation: VERIFY_OPERATION,
    resourceId: credential.id,
    wallet,
    body: undefined,
    credentialId: credential.id,
    context: { clientPublicKey },
    payload: ({ id: requestId }) =>
      passkeyLoginChallenge({
        organizationId,
        credentialId,
        clientPublicKey,
        requestId,
        at: work.now,
      }),
  })
  return {
    kind: 'PASSKEY',
    shown: {
      ...credentialToWire(credential),
      credentialId,
      challenge: request.payloadToSign,
      requestId: formatId('request', request.id),
      expiresAt: request.expiresAt.toISOString(),
    },
  }
}

type OtpLogin = Readonly<{ wallet: Wallet; credential: OtpCredential }>

async function challengeOtp(work: Work, it: OtpLogin): Promise<Challenged> {
  const { tx, platform, now } = work
  const { wallet, credential } = it
  const isSlow = await isProcessedAsync(work, wallet)
  const before = isSlow ? await findOtp(tx, platform.id, credential.id) : undefined
  if (before && !before.shown) {
    if (!isPast({ deadline: before.readyAt, now })) return { kind: 'PROCESSING' }
    if (!isPast({ deadline: before.expiresAt, now })) {
      replaceOtp(tx, platform.id, { ...before, shown: true })
      return { kind: 'OTP', ...(await showOtp(work, { ...it, otp: before })) }
    }
  }
  await countChallenge(work, credential, { counted: 'issued', limits: OTP_ISSUE_LIMITS })
  const { otp, send } = await issueOtp(work, it, isSlow ? PROCESSING_MS : 0)
  if (isSlow) return { kind: 'PROCESSING' }
  return { kind: 'OTP', ...(await showOtp(work, { ...it, otp })), send }
}

export const otpContext = ({ credentialId, id }: Pick<Otp, 'credentialId' | 'id'>): string =>
  `wallet otp ${id} of ${credentialId}`

async function issueOtp(
  work: Work,
  { credential }: OtpLogin,
  delayMs: number,
): Promise<{ otp: Otp; send: () => Promise<void> }> {
  const { tx, platform, keyring, now } = work
  const { embeddedWallet } = await readConfig(work)
  const messenger: Messenger = messengerOf(work, { type: credential.type, config: embeddedWallet })
  const code = traitsOf(platform).hasMagicValues
    ? SANDBOX_PROOFS.otpCode
    : newOtpCode(embeddedWallet)
  const lifetimeSeconds = embeddedWallet?.expirationSeconds ?? OTP_LIFETIME_SECONDS
  const readyAt = addMs(now, delayMs)
  const key = { credentialId: credential.id, id: randomUUID() }
  const { scalar } = newKeyPair()
  const otp: Otp = {
    ...key,
    codeDigest: digestCode(keyring, code, otpContext(key)),
    targetScalar: otpTarget.seal(keyring, scalar, key.id),
    wrongCodes: 0,
    readyAt,
    shown: delayMs === 0,
    expiresAt: addMs(readyAt, lifetimeSeconds * SECOND_MS),
  }
  scalar.fill(0)
  replaceOtp(tx, platform.id, otp)
  // The code goes to the credential's contact, as the customer's may have changed without a signature.
  const { nickname: to } = credential
  return { otp, send: () => messenger({ to, code, lifetimeSeconds }) }
}

async function showOtp(
  work: Work,
  { wallet, credential, otp }: OtpLogin & { otp: Otp },
): Promise<{ shown: WireOtpChallenge; otp: IssuedOtp }> {
  const signer = await signerOf(work)
  const scalar = otpTarget.open(work.keyring, otp.targetScalar, otp.id)
  const { point: target } = keyPairOf(scalar)
  scalar.fill(0)
  const bundle = otpTargetBundle({ signer, target, organizationId: wallet.organizationId })
  return {
    shown: { ...credentialToWire(credential), otpEncryptionTargetBundle: bundle },
    otp: { credentialId: otp.credentialId, id: otp.id, at: work.now },
  }
}

/** An OTP that could not be sent is deleted and does not count (CHAL-7). */
export async function revokeOtp(work: Work, otp: IssuedOtp): Promise<void> {
  const { tx, platform } = work
  const { wallet } = await mustLockCredential(work, otp.credentialId)
  await deleteOtp(tx, platform.id, otp)
  const id = otp.credentialId
  const times = await readTimes(tx, platform.id, { id, counted: 'issued' })
  const kept = times.filter((at) => at.getTime() !== otp.at.getTime())
  saveTimes(tx, platform.id, { id, counted: 'issued', times: kept })
  work.log.warn({ accountId: wallet.accountId }, 'a one-time code could not be handed over')
}
