import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Keyring } from '../../crypto/seal.ts'
import { signWebhook } from '../../crypto/webhook-signature.ts'
import type { Id } from '../../kernel/ids.ts'
import { openWebhookKey } from './webhook-key.ts'

export type ToSign = Readonly<{
  platformId: Id<'platform'>
  /** The current key: after a rotation older events are signed with the new key (HOOK-23). */
  sealedKey: Buffer
  body: string
}>

const KEYS_MAX = 1_000

/** Opened keys live as long as the keyring that opened them. */
const caches = new WeakMap<Keyring, Map<string, Opened>>()
type Opened = Readonly<{ sealedKey: Buffer; key: KeyObject }>

/** The value of the signature header. */
export const signEvent = (keyring: Keyring, toSign: ToSign): string =>
  signWebhook(openedKey(keyring, toSign), toSign.body)

/** No two sealed values are equal, so a rotated key is another one. The oldest platform makes room. */
function openedKey(keyring: Keyring, { platformId, sealedKey }: ToSign): KeyObject {
  const keys = caches.get(keyring) ?? new Map<string, Opened>()
  caches.set(keyring, keys)
  const known = keys.get(platformId)
  if (known?.sealedKey.equals(sealedKey)) return known.key
  const key = createPrivateKey(openWebhookKey(keyring, platformId, sealedKey))
  const [oldest] = keys.keys()
  if (keys.size >= KEYS_MAX && oldest !== undefined) keys.delete(oldest)
  keys.set(platformId, { sealedKey, key })
  return key
}
