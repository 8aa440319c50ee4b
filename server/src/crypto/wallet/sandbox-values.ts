// data table
import { magicValues, type MagicPlace } from '../../kernel/text/magic-value.ts'

/** The values that sandbox platforms accept instead of a proof (chapters 20 and 21, Sandbox); production has none. */
export const SANDBOX_PROOFS = Object.freeze({
  /** The code of every EMAIL_OTP and SMS_OTP credential, whatever the configuration. */
  otpCode: '000000',
  /** In place of a stamp; `Request-Id`, body, expiry and single use still hold. */
  stamp: 'sandbox-valid-signature',
  /** As `assertion.signature`: only the credential id is checked. */
  passkeySignature: 'sandbox-valid-passkey-signature',
  /** Every SMS and TOTP code of strong customer authentication. */
  scaCode: '123456',
  /** Every code that confirms an e-mail address or telephone number. */
  contactCode: '123456',
})

/** A customer whose address ends so before the `@` gets 200 PROCESSING first. */
export const SANDBOX_PROCESSING_SUFFIX = '+processing'

const proof = (place: MagicPlace, value: string) =>
  magicValues({ match: 'EQUALS', ...place }, [[value, 'accepted']], (effect) => effect)

export const MAGIC_PROOFS = [
  ...['confirmCustomerEmailVerification', 'confirmCustomerPhoneVerification'].flatMap((operation) =>
    proof({ object: 'contact', field: 'code', operation }, SANDBOX_PROOFS.contactCode),
  ),
  ...proof(
    { object: 'SMS or authenticator app', field: 'code', operation: 'completeScaLogin' },
    SANDBOX_PROOFS.scaCode,
  ),
  ...proof(
    {
      object: 'wallet credential EMAIL_OTP or SMS_OTP',
      field: 'code, inside encryptedOtpBundle',
      operation: 'verifyAuthCredential',
    },
    SANDBOX_PROOFS.otpCode,
  ),
  ...proof(
    {
      object: 'wallet credential PASSKEY',
      field: 'assertion.signature',
      operation: 'verifyAuthCredential',
    },
    SANDBOX_PROOFS.passkeySignature,
  ),
  ...proof(
    { object: 'wallet', field: 'signature header', operation: 'exportInternalAccount' },
    SANDBOX_PROOFS.stamp,
  ),
  ...magicValues(
    {
      object: 'owner of a wallet',
      field: 'email, before the @',
      operation: 'exportInternalAccount',
    },
    [[SANDBOX_PROCESSING_SUFFIX, 'answered as PROCESSING first']],
    (effect) => effect,
  ),
]
