/**
 * The keys of the service: each purpose has its own, derived with HKDF-SHA256 from a master key.
 * The master keys stay inside the closure, so that a keyring can be inspected or logged unharmed.
 */
import { createHash, createSecretKey, hkdfSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { invariant } from '../kernel/invariant.ts'

export type Keyring = Readonly<{
  /** Newest first: the first key protects new values, the others open older ones. */
  keyIds: readonly string[]
  newestKeyId: string
  /** Whether new rows hold contact data and event bodies sealed (OPER-78). */
  sealsContactData: boolean
  /** Undefined when MASTER_KEY holds no key of that id. Labels come from code, never from input. */
  findKey(wanted: { keyId: string; label: string }): KeyObject | undefined
}>

type MasterKey = Readonly<{ id: string; bytes: Buffer }>

export const MASTER_KEY_FORM =
  'one or more 32-byte keys in base64 or hex, newest first, separated by commas, each optionally named as in `2026a:KEY`, no name twice'

const HEX_KEY = /^[0-9a-fA-F]{64}$/
const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/
const KEY_BYTES = 32
const HKDF_SALT = 'florin/1'

export function createKeyring(
  masterKey: string,
  { sealsContactData = false }: Readonly<{ sealsContactData?: boolean }> = {},
): Keyring {
  const masterKeys = parseMasterKeys(masterKey)
  const newest = masterKeys?.[0]
  invariant(masterKeys && newest, `MASTER_KEY is ${MASTER_KEY_FORM}`)
  const bytesById = new Map(masterKeys.map(({ id, bytes }) => [id, bytes]))
  const derived = new Map<string, KeyObject>()

  return {
    keyIds: [...bytesById.keys()],
    newestKeyId: newest.id,
    sealsContactData,
    findKey({ keyId, label }) {
      const name = `${keyId}:${label}`
      const known = derived.get(name)
      if (known !== undefined) return known
      const bytes = bytesById.get(keyId)
      if (bytes === undefined) return undefined
      const key = createSecretKey(
        Buffer.from(hkdfSync('sha256', bytes, HKDF_SALT, label, KEY_BYTES)),
      )
      derived.set(name, key)
      return key
    },
  }
}

/**
 * The keys in MASTER_KEY, newest first; undefined when the text has another form. A key without a
 * name is named after its digest, so that it keeps its name when a newer key is put before it.
 */
export function parseMasterKeys(text: string): readonly MasterKey[] | undefined {
  const keys: MasterKey[] = []
  for (const entry of text.split(',')) {
    const key = parseEntry(entry.trim())
    if (key === undefined || keys.some((other) => other.id === key.id)) return undefined
    keys.push(key)
  }
  return keys
}

function parseEntry(entry: string): MasterKey | undefined {
  const colon = entry.indexOf(':')
  const bytes = decodeKey(entry.slice(colon + 1))
  if (bytes === undefined) return undefined
  const id = colon === -1 ? digestId(bytes) : entry.slice(0, colon)
  return KEY_ID.test(id) ? { id, bytes } : undefined
}

function decodeKey(text: string): Buffer | undefined {
  if (HEX_KEY.test(text)) return Buffer.from(text, 'hex')
  if (!BASE64_KEY.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === KEY_BYTES ? bytes : undefined
}

function digestId(bytes: Buffer): string {
  return createHash('sha256')
    .update('florin master key id')
    .update(bytes)
    .digest('hex')
    .slice(0, 12)
}
