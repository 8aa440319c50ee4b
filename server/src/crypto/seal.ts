/**
 * Encryption at rest (CORE-90): AES-256-GCM under a key of its own for each purpose.
 *
 * A sealed value, in order:
 *   1 byte   form, 1
 *   1 byte   length of the key id
 *   n bytes  key id, ASCII
 *   12 bytes nonce, random (one key serves 2^32 values per purpose; rotate long before that)
 *   m bytes  ciphertext, as long as the plaintext
 *   16 bytes tag
 *
 * The tag also covers form, key id and the caller's context, usually the id of the row: a value
 * copied into another row, or unsealed for another purpose, does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Keyring } from './keyring.ts'

export { createKeyring } from './keyring.ts'
export type { Keyring } from './keyring.ts'

const FORM = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A stored value does not open: damaged, moved, or sealed with a key that MASTER_KEY lacks. */
export class UnsealError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnsealError'
  }
}

export function seal(
  keyring: Keyring,
  purpose: string,
  plaintext: Buffer | string,
  context = '',
): Buffer {
  const keyId = keyring.newestKeyId
  const header = sealedHeader(keyId)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', mustFindKey(keyring, { keyId, purpose }), nonce)
  cipher.setAAD(additionalData(header, context))
  const ciphertext = [
    typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext),
    cipher.final(),
  ]
  return Buffer.concat([header, nonce, ...ciphertext, cipher.getAuthTag()])
}

export function unseal(keyring: Keyring, purpose: string, sealed: Buffer, context = ''): Buffer {
  const { keyId, header, nonce, ciphertext, tag } = readParts(sealed)
  const key = mustFindKey(keyring, { keyId, purpose })
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(additionalData(header, context))
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch {
    throw new UnsealError(`A sealed value (${purpose}) was altered, or belongs elsewhere.`)
  }
}

/** The first bytes of every value under this key; other values have to be resealed before their key is removed. */
export function sealedHeader(keyId: string): Buffer {
  return Buffer.concat([Buffer.from([FORM, keyId.length]), Buffer.from(keyId, 'ascii')])
}

function readParts(sealed: Buffer) {
  const nonceAt = 2 + (sealed[1] ?? 0)
  const ciphertextAt = nonceAt + NONCE_BYTES
  const tagAt = sealed.length - TAG_BYTES
  if (sealed[0] !== FORM || tagAt < ciphertextAt) {
    throw new UnsealError('A stored value is not in the form of a sealed one.')
  }
  return {
    keyId: sealed.toString('ascii', 2, nonceAt),
    header: sealed.subarray(0, nonceAt),
    nonce: sealed.subarray(nonceAt, ciphertextAt),
    ciphertext: sealed.subarray(ciphertextAt, tagAt),
    tag: sealed.subarray(tagAt),
  }
}

/** The header states its own length, so no two pairs of header and context give the same bytes. */
function additionalData(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context, 'utf8')])
}

function mustFindKey(keyring: Keyring, wanted: { keyId: string; purpose: string }): KeyObject {
  const key = keyring.findKey({ keyId: wanted.keyId, label: `seal:${wanted.purpose}` })
  if (key === undefined) {
    throw new UnsealError(`MASTER_KEY lacks the key ${JSON.stringify(wanted.keyId)}.`)
  }
  return key
}
