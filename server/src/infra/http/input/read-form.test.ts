import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { createKeyring } from '../../../crypto/seal.ts'
import { ApiError, type ErrorCode } from '../../../kernel/errors.ts'
import { openFileStore } from '../../files/files.ts'
import { readForm, type Form } from './read-form.ts'
import type { Upload } from './upload.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'florin-forms-'))
after(() => rmSync(dataDir, { recursive: true }))
const keyring = createKeyring(Buffer.alloc(32, 1).toString('base64'))
const store = openFileStore({ dataDir, keyring })

const LIMIT = 200_000
const limits = { fileParts: ['file'], fileBytesMax: LIMIT }

type Part = Readonly<{ name: string | Buffer; value: string | Buffer; headers?: string }>

const file = (value: string | Buffer, name = 'file', fileName = 'a.pdf'): Part => ({
  name: `${name}"; filename="${fileName}`,
  value,
  headers: 'Content-Type: application/pdf\r\n',
})

function encode(parts: readonly Part[], boundary = 'XYZ'): Buffer {
  const encoded = parts.flatMap(({ name, value, headers = '' }) => [
    Buffer.from(`--${boundary}\r\n${headers}Content-Disposition: form-data; name="`),
    Buffer.from(name),
    Buffer.from('"\r\n\r\n'),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...encoded, Buffer.from(`--${boundary}--\r\n`)])
}

const read = (bytes: Buffer, boundary = 'XYZ', headers: Record<string, string> = {}) =>
  readForm(
    {
      body: Readable.from(chunksOf(bytes)),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    },
    store,
    limits,
  )

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 5_003) yield bytes.subarray(at, at + 5_003)
}

const storedFiles = (): string[] =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

const uploadOf = ({ parts }: Form): Upload => parts['file'] as Upload

async function refusedWith(code: ErrorCode, reading: Promise<unknown>): Promise<void> {
  await assert.rejects(reading, (error) => error instanceof ApiError && error.code === code)
  assert.deepEqual(storedFiles(), [], 'nothing is left behind')
}

test('DOC-8 a form gives its text as text and its file encrypted on disk', async () => {
  const content = Buffer.alloc(150_000, 'florin ')
  const form = await read(encode([{ name: 'country', value: 'ÄÖ' }, file(content)]))
  const upload = uploadOf(form)
  assert.equal(form.parts['country'], 'ÄÖ')
  assert.deepEqual(form.errors, [])
  assert.equal(upload.bytes, content.length)
  assert.equal(upload.fileName, 'a.pdf')
  assert.equal(upload.declaredType, 'application/pdf')
  assert.deepEqual(upload.head(), content.subarray(0, 1024))
  assert.deepEqual(Buffer.concat(await Array.fromAsync(store.read(upload.id))), content)
  await store.erase(upload.id)
})

test('DOC-15 the fingerprint is that of the parts, whatever the boundary and the order', async () => {
  const text = { name: 'country', value: 'DE' }
  const prints = new Set<string>()
  for (const [parts, boundary] of [
    [[text, file('abc')], 'one'],
    [[text, file('abc')], 'another-boundary'],
    [[file('abc'), text], 'third'],
  ] as const) {
    const form = await read(encode(parts, boundary), boundary)
    prints.add(form.fingerprint.toString())
    await store.erase(uploadOf(form).id)
  }
  assert.equal(prints.size, 1)
  for (const parts of [
    [text, file('abd')],
    [text, file('abc', 'file', 'b.pdf')],
    [{ ...text, value: 'FR' }, file('abc')],
    [{ ...text, name: 'side' }, file('abc')],
    [text, file('abc'), { name: 'x', value: '' }],
  ]) {
    const form = await read(encode(parts))
    prints.add(form.fingerprint.toString())
    await store.erase(uploadOf(form).id)
  }
  assert.equal(prints.size, 6)
})

test('DOC-7 a file of exactly the limit is taken, one byte more is PAYLOAD_TOO_LARGE', async () => {
  const form = await read(encode([file(Buffer.alloc(LIMIT))]))
  assert.equal(uploadOf(form).bytes, LIMIT)
  await store.erase(uploadOf(form).id)
  await refusedWith('PAYLOAD_TOO_LARGE', read(encode([file(Buffer.alloc(LIMIT + 1))])))
  await refusedWith('PAYLOAD_TOO_LARGE', read(encode([file(Buffer.alloc(LIMIT + 1), 'other')])))
})

test('CORE-2 a body that announces or is far more than the limit is refused', async () => {
  const huge = { 'content-length': '9999999999' }
  await refusedWith('PAYLOAD_TOO_LARGE', read(encode([file('abc')]), 'XYZ', huge))
  const texts = Array.from({ length: 99 }, (_, n) => ({ name: `t${n}`, value: 'x'.repeat(60_000) }))
  await refusedWith('PAYLOAD_TOO_LARGE', read(encode([file('abc'), ...texts])))
})

test('CORE-2 a form with a part that has no name, or never ends, is INVALID_REQUEST_FORMAT', async () => {
  const part = (headers: string) => Buffer.from(`--XYZ\r\n${headers}\r\n\r\nabc\r\n--XYZ--\r\n`)
  for (const bytes of [
    part('Content-Disposition: form-data'),
    part('Content-Disposition: form-data; filename="a.pdf"\r\nContent-Type: application/pdf'),
    Buffer.from('--XYZ\r\n\r\n--XYZ--\r\n'),
    Buffer.concat([encode([file('abc')]).subarray(0, -9), Buffer.from('--XYZ\r\n\r\n--XYZ--\r\n')]),
  ]) {
    await refusedWith('INVALID_REQUEST_FORMAT', read(bytes))
  }
})

test('CORE-2 what is no well-formed form is INVALID_REQUEST_FORMAT', async () => {
  const whole = encode([{ name: 'country', value: 'DE' }, file(Buffer.alloc(50_000, 'x'))])
  for (const bytes of [
    whole.subarray(0, 30_000),
    whole.subarray(0, 80),
    Buffer.from('{"country":"DE"}'),
    Buffer.alloc(0),
    encode(Array.from({ length: 101 }, (_, n) => ({ name: `t${n}`, value: 'x' }))),
  ]) {
    await refusedWith('INVALID_REQUEST_FORMAT', read(bytes))
  }
  const headers = { 'content-type': 'multipart/form-data' }
  await refusedWith('INVALID_REQUEST_FORMAT', read(whole, 'XYZ', headers))
})

/** No UTF-8: a byte that never occurs, half a character, a surrogate, a character longer than it may be. */
const NOT_UTF8 = ['fffe', 'c3', 'eda080', 'c0af'].map((hex) => Buffer.from(hex, 'hex'))

for (const bytes of NOT_UTF8) {
  test(`CORE-2 a form with ${bytes.toString('hex')} in a value or a name is not UTF-8`, async () => {
    const broken = Buffer.concat([Buffer.from('X'), bytes, Buffer.from('7')])
    const contents = file(Buffer.alloc(150_000, bytes))
    for (const part of [
      { name: 'documentNumber', value: broken },
      { name: broken, value: 'DE' },
    ]) {
      const reading = read(encode([{ name: 'country', value: 'DE' }, part, contents]))
      await assert.rejects(reading, { details: { reason: 'The body is not valid UTF-8.' } })
      await refusedWith('INVALID_REQUEST_FORMAT', read(encode([contents, part])))
    }
  })
}

test('CORE-2 a form may hold any bytes in its file, and text in a charset that it names', async () => {
  const contents = file(Buffer.alloc(150_000, NOT_UTF8[0]), 'file', 'a\ufffd.pdf')
  const headers = 'Content-Type: text/plain; charset=ISO-8859-1\r\n'
  const parts = [{ name: 'issuingAuthority', value: Buffer.from('Z\u00fcrich', 'latin1'), headers }]
  for (const sent of [
    [...parts, contents],
    [contents, ...parts],
  ]) {
    const form = await read(encode(sent))
    assert.equal(form.parts['issuingAuthority'], 'Z\u00fcrich')
    assert.equal(uploadOf(form).fileName, 'a\ufffd.pdf')
    assert.deepEqual(form.errors, [])
    await store.erase(uploadOf(form).id)
  }
})

test('CORE-30 parts that are given twice, of the wrong kind or too long are named, all at once', async () => {
  const form = await read(
    encode([
      { name: 'country', value: 'DE' },
      { name: 'country', value: 'FR' },
      { name: 'file', value: 'not a file' },
      { name: 'side', value: 'x'.repeat(70_000) },
      file('abc', 'documentType'),
    ]),
  )
  assert.deepEqual(
    form.errors.map(({ field, message }) => `${field} ${message}`),
    ['country must be given once', 'file must be a file', 'side must have at most 65536 bytes'],
  )
  assert.deepEqual(form.parts['documentType'], {}, 'which the schema then refuses as no text')
  assert.deepEqual(storedFiles(), [])
})

test('a part named after the prototype is a part like any other', async () => {
  const { parts } = await read(encode([{ name: '__proto__', value: 'x' }]))
  assert.deepEqual(Object.entries(parts), [['__proto__', 'x']])
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})

for (const [sent, shown, because] of [
  ['passport.jpg', 'passport.jpg', 'as it is'],
  ['../../etc/passwd', 'passwd', 'without folders'],
  ['C:\\\\scans\\\\front.png', 'front.png', 'without the folders of another system'],
  ['a\u0007b\u0000c.pdf', 'abc.pdf', 'without control characters'],
  ['', 'upload', 'never empty'],
  ['..', 'upload', 'a folder is no name'],
  [`${'n'.repeat(300)}.pdf`, 'n'.repeat(255), 'at most 255 characters'],
  ['Führerschein 🪪.png', 'Führerschein 🪪.png', 'in any script'],
] as const) {
  test(`DOC-8 the file name is shown ${because}`, async () => {
    const form = await read(encode([file('abc', 'file', sent)]))
    assert.equal(uploadOf(form).fileName, shown)
    await store.erase(uploadOf(form).id)
  })
}

test('DOC-8 a file name that hides what it is, by invisible characters, is refused', async () => {
  const form = await read(encode([file('abc', 'file', 'invoice\u202egpj.exe')]))
  assert.deepEqual(form.errors, [
    { field: 'file', message: 'must not have invisible characters in its file name' },
  ])
  await store.erase(uploadOf(form).id)
})
