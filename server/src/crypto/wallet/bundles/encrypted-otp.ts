/** `encryptedOtpBundle` (chapter 20, 3.4): the code and the device's key, sealed to the target key of the code. */
import { decodeHex } from '../../encoding/hex.ts'
import { parseJsonObject } from '../../encoding/json-object.ts'
import { openSealed } from './hpke.ts'
import type { Sealed } from './hpke.ts'
import type { KeyPair } from '../keys/key-pair.ts'
import { parsePoint, pointBytes } from '../keys/point.ts'
import type { Point } from '../keys/point.ts'

const UNCOMPRESSED_LENGTH = 130

/** Undefined for another form, or an `encappedPublic` off the curve: a 400 that costs no attempt (VRFY-2). */
export function parseEncryptedOtpBundle(text: string): Sealed | undefined {
  const bundle = parseJsonObject(text)
  const encapped = bundle?.['encappedPublic']
  const ciphertextHex = bundle?.['ciphertext']
  if (typeof encapped !== 'string' || typeof ciphertextHex !== 'string') return undefined
  const point = encapped.length === UNCOMPRESSED_LENGTH ? parsePoint(encapped) : undefined
  const ciphertext = decodeHex(ciphertextHex)
  return point && ciphertext && { enc: pointBytes(point), ciphertext }
}

/** `publicKey` is undefined when it is no point, which is reported only after a right code (VRFY-2). */
export type OpenedOtpBundle = Readonly<{ code: string; publicKey: Point | undefined }>

/** Undefined when it does not open, or opens to something else: `OTP bundle could not be decrypted`. */
export async function openOtpBundle(
  target: KeyPair,
  sealed: Sealed,
): Promise<OpenedOtpBundle | undefined> {
  const plaintext = await openSealed(target, sealed)
  const content = plaintext && parseJsonObject(plaintext)
  const code = content?.['otp_code']
  const publicKey = content?.['public_key']
  if (typeof code !== 'string') return undefined
  return { code, publicKey: typeof publicKey === 'string' ? parsePoint(publicKey) : undefined }
}
