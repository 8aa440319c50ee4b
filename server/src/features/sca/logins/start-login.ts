import { passkeyRequestOptions } from '../../../crypto/passkey/sca-passkey.ts'
import { failFields } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { ScaChallenge } from '../challenges/challenge.ts'
import { availableFactors, type ScaFactor } from '../factors/factor.ts'
import { issueChallenge } from '../challenges/issue-challenge.ts'
import { mustFindRelyingParty } from '../factors/relying-party.ts'
import { lockScaCustomer, type ScaCustomer } from '../customers/sca-customer.ts'

export type StartedLogin = Readonly<{
  challenge: ScaChallenge
  passkey?: Readonly<{
    passkeyOptions: ReturnType<typeof passkeyRequestOptions>
    allowedOrigins: readonly string[]
    relyingPartyId: string
  }>
}>

/**
 * Begins a login with one factor and voids one begun before; also while locked (SCA-18). An unproven number may receive
 * the code, which proves it (SCA-61).
 * Fails: USER_NOT_FOUND, CONFLICT, INVALID_INPUT (factor not available), NOT_IMPLEMENTED, RATE_LIMITED.
 */
export async function startLogin(
  work: Work,
  { customerId, factor }: { customerId: Id<'customer'>; factor: ScaFactor },
): Promise<StartedLogin> {
  const sca = await lockScaCustomer(work, customerId)
  const { phoneNumber, unprovenNumber } = sca.factors
  const isProvingNumber = factor === 'SMS_OTP' && unprovenNumber !== undefined
  if (!isProvingNumber) mustBeAvailable(sca, factor)
  const challenge = issueChallenge(work, sca, {
    subject: { purpose: 'LOGIN', customerId },
    factor,
    availableFactors: [factor],
    about: 'to log in',
    to: phoneNumber ?? unprovenNumber,
  })
  if (challenge.passkeyChallenge === null) return { challenge }
  const { passkey } = sca.factors
  invariant(passkey, 'an available passkey is there')
  const { allowedOrigins, relyingPartyId } = await mustFindRelyingParty(work)
  const passkeyOptions = passkeyRequestOptions({ challenge: challenge.passkeyChallenge, passkey })
  return { challenge, passkey: { passkeyOptions, allowedOrigins, relyingPartyId } }
}

/** Fails: INVALID_INPUT. */
export function mustBeAvailable(
  { factors }: ScaCustomer,
  factor: ScaFactor,
  field: 'factor' | 'scaFactor' = 'factor',
): void {
  const available = availableFactors(factors)
  if (available.includes(factor)) return
  failFields([
    { field, constraint: { enum: available }, message: 'must be one of the available factors' },
  ])
}
