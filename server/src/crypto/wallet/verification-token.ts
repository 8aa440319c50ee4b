/**
 * The token that a device signs to finish an OTP login (chapter 20, 3.5): ES256 by the signer key, naming the device's
 * key. All claims are strings and `exp` counts milliseconds, so no general library makes it.
 */
import type { Point } from './keys/point.ts'
import type { WalletSigner } from './keys/wallet-signer.ts'

const HEADER = Buffer.from('{"alg":"ES256","typ":"JWT"}', 'ascii').toString('base64url')

const VERIFICATION_TYPES = { EMAIL_OTP: 'OTP_TYPE_EMAIL', SMS_OTP: 'OTP_TYPE_SMS' } as const

export type VerificationClaims = Readonly<{
  /** The uuid of the token. */
  id: string
  type: keyof typeof VERIFICATION_TYPES
  /** The address or number that the code was sent to. */
  contact: string
  organizationId: string
  publicKey: Point
  /** The expiry of the signature request. */
  expiresAt: Date
}>

export function verificationToken(signer: WalletSigner, claims: VerificationClaims): string {
  const payload = JSON.stringify({
    id: claims.id,
    verification_type: VERIFICATION_TYPES[claims.type],
    contact: claims.contact,
    organization_id: claims.organizationId,
    public_key: claims.publicKey.compressed,
    exp: String(claims.expiresAt.getTime()),
  })
  const signed = `${HEADER}.${Buffer.from(payload, 'utf8').toString('base64url')}`
  const signature = signer.signJose(Buffer.from(signed, 'ascii'))
  return `${signed}.${signature.toString('base64url')}`
}
