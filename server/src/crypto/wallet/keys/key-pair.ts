/** P-256 key pairs as they are stored: the private half as its bare 32-byte scalar, to be sealed at rest. */
import { createECDH, createPrivateKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { invariant } from '../../../kernel/invariant.ts'
import { parsePoint, pointBytes } from './point.ts'
import type { Point } from './point.ts'

export type KeyPair = Readonly<{ scalar: Buffer; point: Point }>

const SCALAR_BYTES = 32
const COORDINATE_BYTES = 32
const CURVE = 'prime256v1'

/** The caller wipes the scalar after use: `pair.scalar.fill(0)`. */
export function newKeyPair(): KeyPair {
  const ecdh = createECDH(CURVE)
  const point = pointOf(ecdh.generateKeys())
  const scalar = ecdh.getPrivateKey()
  // Leading zeros are not written by the library; the wire form has them (3.8).
  const padded = Buffer.concat([Buffer.alloc(SCALAR_BYTES - scalar.length), scalar])
  scalar.fill(0)
  return { scalar: padded, point }
}

export function keyPairOf(scalar: Buffer): KeyPair {
  invariant(scalar.length === SCALAR_BYTES, 'A P-256 private key has 32 bytes.')
  const ecdh = createECDH(CURVE)
  ecdh.setPrivateKey(scalar)
  return { scalar, point: pointOf(ecdh.getPublicKey()) }
}

/** Making the key object costs more than a signature, so a caller that signs often keeps it. */
export function signingKey({ scalar, point }: KeyPair): KeyObject {
  const bytes = pointBytes(point)
  return createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: bytes.toString('base64url', 1, 1 + COORDINATE_BYTES),
      y: bytes.toString('base64url', 1 + COORDINATE_BYTES),
      d: scalar.toString('base64url'),
    },
  })
}

function pointOf(uncompressed: Buffer): Point {
  const point = parsePoint(uncompressed.toString('hex'))
  invariant(point !== undefined, 'The public half of a key pair lies on the curve.')
  return point
}
