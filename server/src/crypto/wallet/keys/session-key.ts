/**
 * Keys of sessions. The encoding of `clientPublicKey` chooses the model (chapter 20, 3.10): compressed, the device
 * keeps its key and that key signs; uncompressed, the service makes a key pair and seals its private half to the
 * device, once (3.8, VRFY-11, VRFY-12).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { invariant } from '../../../kernel/invariant.ts'
import { sealTo } from '../bundles/hpke.ts'
import { newKeyPair } from './key-pair.ts'
import { parsePoint } from './point.ts'
import type { Point } from './point.ts'

export type KeyModel = 'CLIENT_HELD' | 'SEALED'
export type ClientPublicKey = Readonly<{ model: KeyModel; point: Point }>

const base58check = createBase58check(sha256)

/** Undefined for another form, or a point off the curve (CHAL-3, SESS-5). */
export function parseClientPublicKey(text: string): ClientPublicKey | undefined {
  const point = parsePoint(text)
  return point && { model: text.startsWith('04') ? 'SEALED' : 'CLIENT_HELD', point }
}

export type SessionKey = Readonly<{
  /** The key whose stamps the session signs. */
  publicKey: Point
  /** Only in the sealed model; in the answer and stored nowhere. */
  encryptedSessionSigningKey?: string
}>

export async function issueSessionKey({ model, point }: ClientPublicKey): Promise<SessionKey> {
  if (model === 'CLIENT_HELD') return { publicKey: point }
  const { scalar, point: publicKey } = newKeyPair()
  try {
    return { publicKey, encryptedSessionSigningKey: await sealScalar(point, scalar) }
  } finally {
    scalar.fill(0)
  }
}

async function sealScalar(recipient: Point, scalar: Buffer): Promise<string> {
  const { enc, ciphertext } = await sealTo(recipient, scalar)
  const sender = parsePoint(enc.toString('hex'))
  invariant(sender !== undefined, 'The ephemeral key of a sealed message lies on the curve.')
  return base58check.encode(Buffer.concat([Buffer.from(sender.compressed, 'hex'), ciphertext]))
}
