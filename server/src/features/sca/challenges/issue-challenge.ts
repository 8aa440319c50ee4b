import { SANDBOX_PROOFS } from '../../../crypto/wallet/sandbox-values.ts'
import { newNumericCode } from '../../../crypto/codes/one-time-code.ts'
import { newScaChallenge } from '../../../crypto/passkey/sca-passkey.ts'
import { mustBeWithinLimits } from '../../../kernel/access/attempt-limits.ts'
import { addMs } from '../../../kernel/clock.ts'
import { newId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import { smsSenderFor } from '../../../providers/sms/sms-sender-for.ts'
import { replaceChallenge } from './store.ts'
import type { ChallengeSubject, ScaChallenge } from './challenge.ts'
import { CHALLENGE_LIFETIME_MS, type ScaFactor } from '../factors/factor.ts'
import { sendCodeJob } from '../job-definitions.ts'
import type { ScaCustomer } from '../customers/sca-customer.ts'
import { sealSmsCode } from '../secrets.ts'
import { SMS_LIMITS } from '../limits.ts'
import { saveSmsSends } from '../customers/store.ts'

const CODE_DIGITS = 6

export type ChallengeRequest = Readonly<{
  subject: ChallengeSubject
  factor: ScaFactor
  availableFactors: readonly ScaFactor[]
  /** The purpose that the message names: `to log in`, `to pay 5.00 EUR to …`. */
  about: string
  /** The number that receives the code, if not the customer's proven one. */
  to?: string | undefined
  /** Derives the passkey challenge from the approved data; if absent, the challenge is random. */
  passkeyChallengeOf?: (id: Id<'scaChallenge'>) => Buffer
  expiresAt?: Date
}>

/** The part of a work that a challenge needs; the lane has no more than this. */
export type ChallengeMaker = Pick<Work, 'platform' | 'now' | 'outbox' | 'keyring' | 'settings'>

export type IssuedChallenge = Readonly<{
  subject: ChallengeSubject
  challenge: ScaChallenge
  /** Includes the message of this challenge, if one is sent. */
  smsSentAt: readonly Date[]
}>

/**
 * Makes a challenge for a locked customer and schedules the sending of its code; the caller writes the challenge.
 * Fails: NOT_IMPLEMENTED (no way to send it), RATE_LIMITED (SCA-10).
 */
export function draftChallenge(
  maker: ChallengeMaker,
  sca: ScaCustomer,
  request: ChallengeRequest,
): IssuedChallenge {
  const { now } = maker
  const { subject, factor, availableFactors } = request
  const id = newId('scaChallenge')
  const to = request.to ?? sca.factors.phoneNumber
  const sent = factor === 'SMS_OTP' ? sendCode(maker, sca, { id, about: request.about, to }) : null
  const passkey = availableFactors.includes('PASSKEY') ? sca.factors.passkey : undefined
  const makePasskeyChallenge = request.passkeyChallengeOf ?? newScaChallenge
  const challenge: ScaChallenge = {
    id,
    customerId: sca.customer.id,
    purpose: subject.purpose,
    quoteId: 'quoteId' in subject ? subject.quoteId : null,
    externalAccountId: 'externalAccountId' in subject ? subject.externalAccountId : null,
    factor,
    availableFactors,
    sms: sent && sent.sms,
    passkeyChallenge: passkey ? makePasskeyChallenge(id) : null,
    passkeyCredentialId: passkey?.credentialId ?? null,
    passkeyRpId: passkey?.rpId ?? null,
    wrongProofs: 0,
    resends: 0,
    sentAt: sent && now,
    expiresAt: request.expiresAt ?? addMs(now, CHALLENGE_LIFETIME_MS),
    createdAt: now,
  }
  return { subject, challenge, smsSentAt: sent ? sent.smsSentAt : sca.smsSentAt }
}

/** Writes a challenge with the commit, in place of an earlier one of the same subject. */
export function writeChallenge(
  tx: Tx,
  platformId: Id<'platform'>,
  { subject, challenge, smsSentAt }: IssuedChallenge,
): void {
  const { customerId, sms } = challenge
  if (sms) saveSmsSends(tx, platformId, { customerId, smsSentAt })
  replaceChallenge(tx, platformId, { subject, challenge })
}

/** Makes and writes a challenge. Fails: as draftChallenge. */
export function issueChallenge(
  work: Work,
  sca: ScaCustomer,
  request: ChallengeRequest,
): ScaChallenge {
  const issued = draftChallenge(work, sca, request)
  writeChallenge(work.tx, work.platform.id, issued)
  return issued.challenge
}

type Code = Readonly<{ id: Id<'scaChallenge'>; about: string; to: string | undefined }>

/**
 * Makes a code, counts its message and schedules its sending; returns the sealed code. The sandbox counts but sends none.
 * Fails: NOT_IMPLEMENTED, RATE_LIMITED.
 */
export function sendCode(
  maker: ChallengeMaker,
  { smsSentAt }: Pick<ScaCustomer, 'smsSentAt'>,
  { id, about, to }: Code,
): Readonly<{ sms: Buffer; smsSentAt: readonly Date[] }> {
  const { platform, now, keyring, settings } = maker
  invariant(to !== undefined, 'a code is sent only where messages are available')
  // Called only because it refuses if there is no way to send.
  smsSenderFor(platform, settings)
  const times = mustBeWithinLimits(SMS_LIMITS, { times: smsSentAt, now })
  const { sendsMessages, hasMagicValues } = traitsOf(platform)
  if (sendsMessages) enqueue(maker, sendCodeJob, { challengeId: id })
  const code = hasMagicValues ? SANDBOX_PROOFS.scaCode : newNumericCode(CODE_DIGITS)
  return { sms: sealSmsCode(keyring, id, { to, code, about }), smsSentAt: times }
}
