import { newScaChallenge, passkeyCreationOptions } from '../../../crypto/passkey/sca-passkey.ts'
import type { JsonObject } from '../../../crypto/encoding/json-object.ts'
import { newTotpSecret, totpEnrolment, type TotpEnrolment } from '../../../crypto/codes/totp.ts'
import { addMs } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { displayName, type Customer } from '../../customers/index.ts'
import { ENROLMENT_LIFETIME_MS, type EnrolledFactor } from './factor.ts'
import { mustFindRelyingParty } from './relying-party.ts'
import { lockScaCustomer, mustHaveFreshLogin } from '../customers/sca-customer.ts'
import { sealEnrolment } from '../secrets.ts'
import { saveEnrolment } from '../customers/store.ts'

const accountName = ({ email, platformCustomerId }: Customer): string => email ?? platformCustomerId

function savePendingEnrolment(
  { tx, platform, keyring, now }: Work,
  { secret, ...key }: { customerId: Id<'customer'>; factor: EnrolledFactor; secret: Buffer },
): void {
  saveEnrolment(tx, platform.id, {
    ...key,
    secret: sealEnrolment(keyring, key, secret),
    expiresAt: addMs(now, ENROLMENT_LIFETIME_MS),
  })
}

/**
 * Begins the enrolment of an authenticator app with a new secret; one begun before is void (SCA-13).
 * Fails: USER_NOT_FOUND, CONFLICT (not needed, or an app is enrolled), SCA_SESSION_REQUIRED.
 */
export async function startTotpEnrolment(
  work: Work,
  customerId: Id<'customer'>,
): Promise<TotpEnrolment> {
  const sca = await lockScaCustomer(work, customerId)
  const { customer, factors } = sca
  if (factors.totp) fail('CONFLICT', { reason: 'TOTP_ALREADY_ENROLLED' })
  mustHaveFreshLogin(sca, work.now)
  const secret = newTotpSecret()
  savePendingEnrolment(work, { customerId, factor: 'TOTP', secret })
  return totpEnrolment(secret, { issuer: work.platform.name, label: accountName(customer) })
}

export type PasskeyEnrolment = Readonly<{
  options: JsonObject
  allowedOrigins: readonly string[]
  relyingPartyId: string
}>

/**
 * Begins the enrolment of a passkey with a new challenge; one begun before is void (SCA-15).
 * Fails: USER_NOT_FOUND, CONFLICT (not needed, or no origins configured), PASSKEY_ALREADY_ENROLLED,
 * SCA_SESSION_REQUIRED.
 */
export async function startPasskeyEnrolment(
  work: Work,
  customerId: Id<'customer'>,
): Promise<PasskeyEnrolment> {
  const sca = await lockScaCustomer(work, customerId)
  const { customer, factors } = sca
  if (factors.passkey) fail('PASSKEY_ALREADY_ENROLLED')
  const { relyingPartyId, allowedOrigins } = await mustFindRelyingParty(work)
  mustHaveFreshLogin(sca, work.now)
  const challenge = newScaChallenge()
  savePendingEnrolment(work, { customerId, factor: 'PASSKEY', secret: challenge })
  const options = passkeyCreationOptions({
    challenge,
    relyingPartyId,
    relyingPartyName: work.platform.name,
    user: {
      id: Buffer.from(customerId.replaceAll('-', ''), 'hex'),
      name: accountName(customer),
      displayName: displayName(customer),
    },
  })
  return { options, allowedOrigins, relyingPartyId }
}
