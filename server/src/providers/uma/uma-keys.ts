/** The keys of this installation for other providers; all domains of its platforms publish the same. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Keyring } from '../../crypto/seal.ts'
import { invariant } from '../../kernel/invariant.ts'

type KeyUse = 'signing' | 'encryption'

function privateKey(keyring: Keyring, use: KeyUse): Buffer {
  const { newestKeyId: keyId } = keyring
  const key = keyring.findKey({ keyId, label: `uma-${use}` })
  invariant(key, 'The newest key is there.')
  return key.export()
}

export const umaSigningKey = (keyring: Keyring): Buffer => privateKey(keyring, 'signing')

const publicKey = (keyring: Keyring, use: KeyUse): string =>
  Buffer.from(secp256k1.getPublicKey(privateKey(keyring, use), false)).toString('hex')

/** As `/.well-known/lnurlpubkey` publishes them: uncompressed points in hex. */
export const umaPublicKeys = (keyring: Keyring) => ({
  signingPubKey: publicKey(keyring, 'signing'),
  encryptionPubKey: publicKey(keyring, 'encryption'),
})
