/**
 * Encryption at rest of files that are too large for memory (CORE-90): AES-256-GCM in chunks, so that a file is written
 * while it arrives and nothing of it is ever on disk in the clear.
 *
 * A sealed stream, in order:
 *   1 byte   form, 2
 *   1 byte   length of the key id
 *   n bytes  key id, ASCII
 *   16 bytes salt, random
 *   chunks   64 KiB of plaintext each, encrypted, and a tag of 16 bytes; the last one is shorter, possibly empty
 *
 * Each stream has a key of its own, derived from the purpose's key with the salt and the caller's context (usually the
 * id of the file); so a counter is nonce enough. The nonce also says whether a chunk is the last: a stream that was
 * cut, reordered, continued, or stored under another id does not open.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Keyring } from './keyring.ts'
import { UnsealError } from './seal.ts'

export type SealedFor = Readonly<{ keyring: Keyring; purpose: string; context: string }>

type Bytes = AsyncIterable<Buffer>

const FORM = 2
const CHUNK_BYTES = 64 * 1024
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

export async function* sealStream(sealed: SealedFor, plaintext: Bytes): AsyncGenerator<Buffer> {
  const keyId = sealed.keyring.newestKeyId
  const salt = randomBytes(SALT_BYTES)
  const header = Buffer.concat([
    Buffer.from([FORM, keyId.length]),
    Buffer.from(keyId, 'ascii'),
    salt,
  ])
  const key = keyOf(sealed, { keyId, salt })
  yield header
  let counter = 0
  for await (const { chunk, isLast } of inChunks(plaintext, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(counter, isLast))
    cipher.setAAD(header)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    counter += 1
  }
}

/** The id of the key that protects a stream. */
export async function keyIdOfStream(stored: Bytes): Promise<string> {
  return keyIdOf((await readHeader(stored)).header)
}

const keyIdOf = (header: Buffer): string => header.toString('ascii', 2, header.length - SALT_BYTES)

/**
 * The plaintext from byte `from` on. Throws an UnsealError where the stream was altered; nothing that was yielded may be
 * trusted then. Chunks before `from` are skipped unopened, since a caller that skips has read them before.
 */
export async function* unsealStream(
  sealed: SealedFor,
  stored: Bytes,
  { from = 0 }: { from?: number } = {},
): AsyncGenerator<Buffer> {
  const { header, rest } = await readHeader(stored)
  const keyId = keyIdOf(header)
  const key = keyOf(sealed, { keyId, salt: header.subarray(-SALT_BYTES) })
  let counter = 0
  for await (const { chunk, isLast } of inChunks(rest, CHUNK_BYTES + TAG_BYTES)) {
    const start = counter * CHUNK_BYTES
    if (isLast || start + CHUNK_BYTES > from) {
      const opened = openChunk({ key, header, nonce: nonceOf(counter, isLast), chunk })
      yield start < from ? opened.subarray(from - start) : opened
    }
    counter += 1
  }
}

type SealedChunk = Readonly<{ key: KeyObject; header: Buffer; nonce: Buffer; chunk: Buffer }>

function openChunk({ key, header, nonce, chunk }: SealedChunk): Buffer {
  if (chunk.length < TAG_BYTES) throw cutShort()
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(header)
  decipher.setAuthTag(chunk.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new UnsealError('A sealed stream was altered, or belongs elsewhere.')
  }
}

function keyOf(
  { keyring, purpose, context }: SealedFor,
  { keyId, salt }: { keyId: string; salt: Buffer },
): KeyObject {
  const master = keyring.findKey({ keyId, label: `seal-stream:${purpose}` })
  if (!master) throw new UnsealError(`MASTER_KEY lacks the key ${JSON.stringify(keyId)}.`)
  return createSecretKey(Buffer.from(hkdfSync('sha256', master, salt, context, KEY_BYTES)))
}

function nonceOf(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUInt32BE(counter, NONCE_BYTES - 5)
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1)
  return nonce
}

const cutShort = (): UnsealError => new UnsealError('A sealed stream ends too early.')

/** Regroups bytes into chunks of one size. The last is always there and always shorter, empty if need be. */
async function* inChunks(
  source: Bytes,
  size: number,
): AsyncGenerator<Readonly<{ chunk: Buffer; isLast: boolean }>> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const bytes of source) {
    held.push(bytes)
    heldBytes += bytes.length
    if (heldBytes < size) continue
    const all = Buffer.concat(held)
    let at = 0
    for (; all.length - at >= size; at += size) {
      yield { chunk: all.subarray(at, at + size), isLast: false }
    }
    held = [all.subarray(at)]
    heldBytes = all.length - at
  }
  yield { chunk: Buffer.concat(held), isLast: true }
}

async function readHeader(stored: Bytes): Promise<Readonly<{ header: Buffer; rest: Bytes }>> {
  const pieces = stored[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)
  const lengthOf = (): number => 2 + (read[1] ?? 0) + SALT_BYTES
  while (read.length < 2 || read.length < lengthOf()) {
    const next = await pieces.next()
    if (next.done) throw cutShort()
    read = Buffer.concat([read, next.value])
  }
  if (read[0] !== FORM) throw new UnsealError('A stored stream is not in the form of a sealed one.')
  const header = read.subarray(0, lengthOf())
  const first = read.subarray(header.length)
  async function* rest(): AsyncGenerator<Buffer> {
    yield first
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  return { header, rest: rest() }
}
