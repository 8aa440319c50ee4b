/**
 * Sealing between the service and a device: HPKE (RFC 9180) in base mode on P-256, one message a key. The additional
 * data are `enc` and the recipient's key, both as 65-byte points, whatever encodings they travelled in.
 */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { joined, utf8, type Bytes } from '../bytes.ts'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

/** Names the format; both sides must say the same. */
const INFO = utf8('turnkey_hpke').buffer

export type Sealed = Readonly<{ enc: Bytes; ciphertext: Bytes }>

export async function sealTo(recipient: Bytes, plaintext: Bytes): Promise<Sealed> {
  const sender = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.importKey('raw', recipient.buffer, true),
    info: INFO,
  })
  const enc = new Uint8Array(sender.enc)
  const ciphertext = await sender.seal(plaintext.buffer, joined(enc, recipient).buffer)
  return { enc, ciphertext: new Uint8Array(ciphertext) }
}

/** Throws when it does not open: another key, or changed on the way. */
export async function openSealed(
  recipient: { privateKey: CryptoKey; point: Bytes },
  { enc, ciphertext }: Sealed,
): Promise<Bytes> {
  const { privateKey, point } = recipient
  const context = await suite.createRecipientContext({
    recipientKey: {
      privateKey,
      publicKey: await suite.kem.importKey('raw', point.buffer, true),
    },
    enc: enc.buffer,
    info: INFO,
  })
  return new Uint8Array(await context.open(ciphertext.buffer, joined(enc, point).buffer))
}
