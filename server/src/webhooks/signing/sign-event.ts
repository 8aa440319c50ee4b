import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Keyring } from '../../crypto/seal.ts'
import { signWebhook } from '../../crypto/webhook-signature.ts'
import type { Id } from '../../kernel/ids.ts'
import { openWebhookKey } from './webhook-key.ts'

export type ToSign = Readonly<{
  platformId: Id<'platform'>
  /** The current key: after a rotation older events are signed with the new key (HOOK-23). */
  sealedKey: Buffer
  eventId: Id<'webhook'>
  body: string
}>

const KEYS_MAX = 1_000
const SIGNATURES_MAX = 10_000

type Signed = Readonly<{ key: KeyObject; signature: string }>
type Cache = Readonly<{ keys: Map<string, KeyObject>; signatures: Map<string, Signed> }>

/** Opened keys live as long as the keyring that opened them. */
const caches = new WeakMap<Keyring, Cache>()

/** The value of the signature header. An event is signed once per key: its retries carry the same signature. */
export function signEvent(keyring: Keyring, toSign: ToSign): string {
  const cache = caches.get(keyring) ?? { keys: new Map(), signatures: new Map() }
  caches.set(keyring, cache)
  const key = openedKey(keyring, cache, toSign)
  const known = cache.signatures.get(toSign.eventId)
  if (known?.key === key) return known.signature
  const signature = signWebhook(key, toSign.body)
  remember(cache.signatures, toSign.eventId, { key, signature }, SIGNATURES_MAX)
  return signature
}

/** No two sealed values are equal, so the sealed value identifies the key. */
function openedKey(keyring: Keyring, { keys }: Cache, { platformId, sealedKey }: ToSign) {
  const name = sealedKey.toString('base64')
  const known = keys.get(name)
  if (known) return known
  const key = createPrivateKey(openWebhookKey(keyring, platformId, sealedKey))
  remember(keys, name, key, KEYS_MAX)
  return key
}

/** The oldest entry makes room. */
function remember<V>(map: Map<string, V>, key: string, value: V, sizeMax: number): void {
  const [oldest] = map.keys()
  if (map.size >= sizeMax && oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}
