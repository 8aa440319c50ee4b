import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createKeyring, UnsealError } from './seal.ts'
import { sealStream, unsealStream } from './sealed-stream.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const sealed = { keyring: createKeyring(KEY), purpose: 'files', context: 'file-1' }
const CHUNK = 64 * 1024

/** In pieces of awkward sizes, as a network delivers them. */
async function* pieces(bytes: Buffer, size = 7_919): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const sealAll = async (bytes: Buffer): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(sealStream(sealed, pieces(bytes))))

const open = async (stored: Buffer, options = sealed, size = 10_007): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(unsealStream(options, pieces(stored, size))))

for (const [bytes, because] of [
  [0, 'nothing at all'],
  [1, 'less than a chunk'],
  [CHUNK - 1, 'one byte short of a chunk'],
  [CHUNK, 'exactly a chunk'],
  [CHUNK + 1, 'one byte beyond'],
  [3 * CHUNK, 'exactly three chunks'],
  [5 * CHUNK + 12_345, 'several and a bit'],
] as const) {
  test(`CORE-90 a sealed stream opens to its plaintext: ${because}`, async () => {
    const plaintext = randomBytes(bytes)
    const stored = await sealAll(plaintext)
    assert.deepEqual(await open(stored), plaintext)
    assert.deepEqual(await open(stored, sealed, 1_000_000), plaintext)
    if (bytes > 16) assert.equal(stored.indexOf(plaintext.subarray(0, 16)), -1)
  })
}

test('CORE-90 any changed byte of a sealed stream is noticed', async () => {
  const stored = await sealAll(randomBytes(200))
  for (let at = 0; at < stored.length; at += 1) {
    const changed = Buffer.from(stored)
    changed[at] = (changed[at] ?? 0) ^ 1
    await assert.rejects(open(changed), UnsealError, `byte ${at}`)
  }
})

test('CORE-90 a sealed stream that was cut, continued or reordered does not open', async () => {
  const plaintext = randomBytes(3 * CHUNK)
  const stored = await sealAll(plaintext)
  const sealedChunk = CHUNK + 16
  const headerBytes = stored.length - 3 * sealedChunk - 16
  const chunk = (n: number) =>
    stored.subarray(headerBytes + n * sealedChunk, headerBytes + (n + 1) * sealedChunk)
  const header = stored.subarray(0, headerBytes)
  const last = stored.subarray(-16)
  for (const altered of [
    stored.subarray(0, -16),
    stored.subarray(0, headerBytes + sealedChunk),
    stored.subarray(0, 10),
    Buffer.alloc(0),
    Buffer.concat([stored, randomBytes(16)]),
    Buffer.concat([header, chunk(1), chunk(0), chunk(2), last]),
    Buffer.concat([header, chunk(0), chunk(2), last]),
  ]) {
    await assert.rejects(open(altered), UnsealError)
  }
})

test('CORE-90 a sealed stream opens only for its purpose, its context and with its key', async () => {
  const stored = await sealAll(randomBytes(100))
  const other = createKeyring(Buffer.alloc(32, 8).toString('base64'))
  for (const options of [
    { ...sealed, context: 'file-2' },
    { ...sealed, purpose: 'other' },
    { ...sealed, keyring: other },
  ]) {
    await assert.rejects(open(stored, options), UnsealError)
  }
})

test('CORE-90 an older key still opens its streams', async () => {
  const plaintext = randomBytes(100)
  const stored = await sealAll(plaintext)
  const rotated = createKeyring(`new:${Buffer.alloc(32, 9).toString('base64')},${KEY}`)
  assert.deepEqual(await open(stored, { ...sealed, keyring: rotated }), plaintext)
})

for (const from of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 4, 3 * CHUNK + 5]) {
  test(`CORE-90 a stream can be read from byte ${from} on`, async () => {
    const bytes = randomBytes(3 * CHUNK + 5)
    const stored = await sealAll(bytes)
    const read = await Array.fromAsync(unsealStream(sealed, pieces(stored), { from }))
    assert.deepEqual(Buffer.concat(read), bytes.subarray(from))
  })
}

test('CORE-90 a stream that is read from a byte on is checked too', async () => {
  const stored = await sealAll(randomBytes(3 * CHUNK + 5))
  const altered = Buffer.from(stored)
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
  const read = Array.fromAsync(unsealStream(sealed, pieces(altered), { from: 2 * CHUNK }))
  await assert.rejects(read, UnsealError)
})
