/** A P-256 public key, whatever its encoding. Only points of the curve exist (chapter 20, section 8). */
import { ECDH, timingSafeEqual } from 'node:crypto'

/** Both in lowercase hex: 66 and 130 characters. */
export type Point = Readonly<{ compressed: string; uncompressed: string }>

/** Of either encoding (CHAL-3). */
export const POINT_PATTERN = '^(0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$'
const POINT = new RegExp(POINT_PATTERN)
const COMPRESSED_LENGTH = 66
const CURVE = 'prime256v1'

export function parsePoint(text: string): Point | undefined {
  if (!POINT.test(text)) return undefined
  const given = text.toLowerCase()
  try {
    return given.length === COMPRESSED_LENGTH
      ? { compressed: given, uncompressed: convert(given, 'uncompressed') }
      : { compressed: convert(given, 'compressed'), uncompressed: given }
  } catch {
    // The conversion refuses what does not lie on the curve.
    return undefined
  }
}

/** The 65 bytes that key encapsulation and bundles work with. */
export function pointBytes(point: Point): Buffer {
  return Buffer.from(point.uncompressed, 'hex')
}

/** In constant time, as all comparisons of keys. */
export function isSamePoint(one: Point, other: Point): boolean {
  return timingSafeEqual(Buffer.from(one.compressed, 'hex'), Buffer.from(other.compressed, 'hex'))
}

function convert(hex: string, form: 'compressed' | 'uncompressed'): string {
  return String(ECDH.convertKey(hex, CURVE, 'hex', 'hex', form))
}
