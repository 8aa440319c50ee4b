// data table

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
})

/** A customer whose address ends so before the `@` gets 200 PROCESSING first. */
export const SANDBOX_PROCESSING_SUFFIX = '+processing'
