import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { newWebhookKeyPair } from '../../crypto/webhook-signature.ts'
import type { Id } from '../../kernel/ids.ts'

const PURPOSE = 'webhook-signing-key'

export type SealedKeyPair = Readonly<{ publicKey: string; privateKey: Buffer }>

/** Every platform has a key pair of its own; the private key is stored sealed (HOOK-22). */
export function newSealedKeyPair(keyring: Keyring, platformId: Id<'platform'>): SealedKeyPair {
  const { publicKeyPem, privateKeyPem } = newWebhookKeyPair()
  return { publicKey: publicKeyPem, privateKey: seal(keyring, PURPOSE, privateKeyPem, platformId) }
}

export function openWebhookKey(
  keyring: Keyring,
  platformId: Id<'platform'>,
  sealed: Buffer,
): string {
  return unseal(keyring, PURPOSE, sealed, platformId).toString('utf8')
}
