/**
 * Codes of an authenticator app (chapter 21): RFC 6238 with SHA-1, 6 digits, 30 seconds, one step either side for
 * clocks that differ.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
const PERIOD_MS = 30_000
const FORM = { algorithm: 'SHA1', digits: 6, period: PERIOD_MS / 1_000 } as const
const CODE = /^\d{6}$/
/** The current step comes first, so that the likeliest one is used up. */
const STEPS_AROUND = [0, -1, 1] as const

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

export type TotpEnrolment = Readonly<{
  secret: string
  secretBase32Encoded: string
  totpUri: string
}>

/** The three encodings of one secret that an enrolment shows (SCA-13). */
export function totpEnrolment(
  secret: Buffer,
  { issuer, label }: { issuer: string; label: string },
): TotpEnrolment {
  const shared = toSecret(secret)
  return {
    secret: secret.toString('hex'),
    secretBase32Encoded: shared.base32,
    totpUri: new TOTP({ issuer, label, secret: shared, ...FORM }).toString(),
  }
}

/**
 * The step of this code, which the caller stores as used; undefined when the code is wrong or its step was used before.
 * Older steps never match again, so storing the last few is enough.
 */
export function matchTotpStep({
  secret,
  code,
  now,
  usedSteps,
}: {
  secret: Buffer
  code: string
  now: Date
  usedSteps: readonly number[]
}): number | undefined {
  if (!CODE.test(code)) return undefined
  const current = Math.floor(now.getTime() / PERIOD_MS)
  const given = Buffer.from(code, 'ascii')
  const totp = new TOTP({ secret: toSecret(secret), ...FORM })
  const matching = STEPS_AROUND.map((distance) => current + distance).filter((step) => {
    const expected = Buffer.from(totp.generate({ timestamp: step * PERIOD_MS }), 'ascii')
    return timingSafeEqual(expected, given)
  })
  return matching.find((step) => !usedSteps.includes(step))
}

function toSecret(bytes: Buffer): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer })
}
