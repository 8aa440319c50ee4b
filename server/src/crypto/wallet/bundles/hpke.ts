/**
 * Sealing to a P-256 key: HPKE (RFC 9180), base mode, one message a key (chapter 20, 3.1). DHKEM(P-256, HKDF-SHA256),
 * HKDF-SHA256, AES-256-GCM; `info` names the format that the public client expects; the additional data are `enc` and
 * the recipient's key, both as 65-byte points, whatever encodings they travelled in.
 */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256, HpkeError } from '@hpke/core'
import type { KeyPair } from '../keys/key-pair.ts'
import { pointBytes } from '../keys/point.ts'
import type { Point } from '../keys/point.ts'

/** `enc` is the sender's ephemeral key, 65 bytes; the ciphertext ends with its 16-byte tag. */
export type Sealed = Readonly<{ enc: Buffer; ciphertext: Buffer }>

export const HPKE_SUITE = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

const INFO = Buffer.from('turnkey_hpke', 'ascii')

export async function sealTo(recipient: Point, plaintext: Uint8Array): Promise<Sealed> {
  const recipientBytes = pointBytes(recipient)
  const sender = await HPKE_SUITE.createSenderContext({
    recipientPublicKey: await HPKE_SUITE.kem.importKey('raw', exact(recipientBytes), true),
    info: exact(INFO),
  })
  const enc = Buffer.from(sender.enc)
  const additionalData = Buffer.concat([enc, recipientBytes])
  const ciphertext = await sender.seal(exact(plaintext), exact(additionalData))
  return { enc, ciphertext: Buffer.from(ciphertext) }
}

/** Undefined when it does not open: wrong key, changed byte, or an `enc` that is no point. */
export async function openSealed(
  recipient: KeyPair,
  { enc, ciphertext }: Sealed,
): Promise<Buffer | undefined> {
  const recipientBytes = pointBytes(recipient.point)
  const kem = HPKE_SUITE.kem
  const recipientKey = {
    privateKey: await kem.importKey('raw', exact(recipient.scalar), false),
    publicKey: await kem.importKey('raw', exact(recipientBytes), true),
  }
  try {
    const context = await HPKE_SUITE.createRecipientContext({
      recipientKey,
      enc: exact(enc),
      info: exact(INFO),
    })
    const additionalData = Buffer.concat([enc, recipientBytes])
    return Buffer.from(await context.open(exact(ciphertext), exact(additionalData)))
  } catch (error) {
    if (error instanceof HpkeError) return undefined
    throw error
  }
}

/** The library takes whole buffers; Node's bytes are windows into larger ones. */
function exact(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
