import { newNumericCode } from '../../crypto/one-time-code.ts'
import { newScaChallenge } from '../../crypto/passkey/sca-passkey.ts'
import { addMs } from '../../kernel/clock.ts'
import { failRetryLater } from '../../kernel/errors.ts'
import { newId, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Work } from '../../infra/work.ts'
import { smsSenderFor } from '../../providers/sms/sms-sender-for.ts'
import { replaceChallenge } from './challenge-store.ts'
import type { ChallengeSubject, ScaChallenge } from './challenge.ts'
import { CHALLENGE_LIFETIME_MS, type ScaFactor } from './factor.ts'
import { SEND_CODE_JOB } from './job-names.ts'
import type { ScaCustomer } from './sca-customer.ts'
import { SANDBOX_CODE, sealSmsCode } from './secrets.ts'
import { judgeLimits, SMS_LIMITS } from './sending-limits.ts'
import { saveSmsSends } from './store.ts'

const CODE_DIGITS = 6

export type ChallengeRequest = Readonly<{
  subject: ChallengeSubject
  factor: ScaFactor
  availableFactors: readonly ScaFactor[]
  /** What the message says that its code is for: `to log in`, `to pay 5.00 EUR to …`. */
  about: string
  /** What a passkey is to sign, where it is made of what is approved; at random otherwise. */
  passkeyChallengeOf?: (id: Id<'scaChallenge'>) => Buffer
  expiresAt?: Date
}>

/**
 * Asks a locked customer for a proof, in the place of an earlier one for the same thing. A code goes out with the
 * commit. Fails: NOT_IMPLEMENTED (no way to send it), RATE_LIMITED (SCA-10).
 */
export function issueChallenge(
  work: Work,
  sca: ScaCustomer,
  request: ChallengeRequest,
): ScaChallenge {
  const { tx, platform, now } = work
  const { subject, factor, availableFactors } = request
  const id = newId('scaChallenge')
  const sms = factor === 'SMS_OTP' ? sendCode(work, sca, { id, about: request.about }) : null
  const makePasskeyChallenge = request.passkeyChallengeOf ?? newScaChallenge
  const challenge: ScaChallenge = {
    id,
    customerId: sca.customer.id,
    purpose: subject.purpose,
    quoteId: 'quoteId' in subject ? subject.quoteId : null,
    externalAccountId: 'externalAccountId' in subject ? subject.externalAccountId : null,
    factor,
    availableFactors,
    sms,
    passkeyChallenge: availableFactors.includes('PASSKEY') ? makePasskeyChallenge(id) : null,
    wrongProofs: 0,
    resends: 0,
    sentAt: sms && now,
    expiresAt: request.expiresAt ?? addMs(now, CHALLENGE_LIFETIME_MS),
    createdAt: now,
  }
  replaceChallenge(tx, platform.id, { subject, challenge })
  return challenge
}

/** Makes a code, counts its message and has it sent; answers it sealed. The sandbox sends none but counts it. */
export function sendCode(
  work: Work,
  { customer, factors, smsSentAt }: ScaCustomer,
  {
    id,
    about,
    to = factors.phoneNumber,
  }: { id: Id<'scaChallenge'>; about: string; to?: string | undefined },
): Buffer {
  const { tx, platform, now, keyring, settings } = work
  invariant(to !== undefined, 'a code is sent only where messages are available')
  // Only to be refused where there is no way to send.
  smsSenderFor(platform, settings)
  const verdict = judgeLimits(SMS_LIMITS, { times: smsSentAt, now })
  if (!verdict.ok) failRetryLater('RATE_LIMITED', verdict.retryAfterSeconds)
  saveSmsSends(tx, platform.id, { customerId: customer.id, smsSentAt: verdict.times })
  const isSandbox = platform.environment === 'SANDBOX'
  if (!isSandbox) enqueue(work, SEND_CODE_JOB, { payload: { challengeId: id } })
  const code = isSandbox ? SANDBOX_CODE : newNumericCode(CODE_DIGITS)
  return sealSmsCode(keyring, id, { to, code, about })
}
