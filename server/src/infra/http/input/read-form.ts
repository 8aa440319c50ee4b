import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { SECOND_MS } from '../../../kernel/clock.ts'
import { ApiError, fail, type FieldError } from '../../../kernel/errors.ts'
import { hasInvisible } from '../../../kernel/text/invisible-text.ts'
import { newUuid } from '../../../kernel/ids.ts'
import type { FileStore } from '../../files/files.ts'
import { newUpload, type Upload } from './upload.ts'

export type FormLimits = Readonly<{
  /** The names of the file parts; a file under any other name is skipped. */
  fileParts: readonly string[]
  fileBytesMax: number
}>

/** A form as it was sent. */
export type Form = Readonly<{
  /** Text parts as text, file parts as uploads; a file where none is expected as an empty object. */
  parts: Readonly<Record<string, unknown>>
  /** Errors in the form of single parts. */
  errors: readonly FieldError[]
  /** Names, values, file names and digests, independent of boundary and order (DOC-15). */
  fingerprint: Buffer
  uploads: readonly Upload[]
}>

const TEXT_BYTES_MAX = 64 * 1024
const PARTS_MAX = 100
const PART_HEADERS_MAX = 20
const PART_HEADER_BYTES_MAX = 16 * 1024
/** Beside the file: text parts, headers of parts, boundaries. */
const FORM_BYTES_MAX = 1024 * 1024
/** The first bytes of a file, by which its type is recognised. */
const HEAD_BYTES = 1024
/** The parser puts it in place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd'
const DRAIN_MS = 20 * SECOND_MS

type Reading = Readonly<{
  store: FileStore
  limits: FormLimits
  parts: Record<string, unknown>
  errors: FieldError[]
  /** What the fingerprint is made of. */
  lines: string[]
  uploads: Upload[]
  storedIds: string[]
  streams: Readable[]
  storing: Promise<void>[]
}>

/**
 * Reads a multipart form and stores its files while they arrive. After a failure the stored files are deleted, and the
 * rest of the request is discarded for a while, so that the answer reaches a client that is still sending.
 * Fails: PAYLOAD_TOO_LARGE, INVALID_REQUEST_FORMAT.
 */
export async function readForm(
  { body, headers }: Readonly<{ body: Readable; headers: IncomingHttpHeaders }>,
  store: FileStore,
  limits: FormLimits,
): Promise<Form> {
  // Without a prototype, because the sender chooses the names of parts.
  const parts = Object.create(null) as Record<string, unknown>
  const reading: Reading = {
    ...{ store, limits, parts },
    ...{ errors: [], lines: [], uploads: [], storedIds: [], streams: [], storing: [] },
  }
  try {
    const announced = Number(headers['content-length'] ?? 0)
    if (announced > limits.fileBytesMax + FORM_BYTES_MAX) fail('PAYLOAD_TOO_LARGE')
    await parse(reading, body, headers)
  } catch (error) {
    readPast(body)
    await undo(reading)
    throw error instanceof ApiError ? error : malformed(error)
  }
  const { errors, uploads, lines } = reading
  return { parts, errors, uploads, fingerprint: Buffer.from(lines.toSorted().join('\n')) }
}

function parse(reading: Reading, body: Readable, headers: IncomingHttpHeaders): Promise<void> {
  const { limits, streams, storing } = reading
  return new Promise((resolve, reject) => {
    const parser = new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        fieldSize: TEXT_BYTES_MAX,
        parts: PARTS_MAX,
        headerPairs: PART_HEADERS_MAX,
        headerSize: PART_HEADER_BYTES_MAX,
      },
    })
    let bytes = 0
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limits.fileBytesMax + FORM_BYTES_MAX) reject(new ApiError('PAYLOAD_TOO_LARGE'))
    })
    body.on('error', reject)
    body.on('close', () => body.readableEnded || reject(new Error('the request was cut off')))
    parser.on('error', reject)
    parser.on('partsLimit', () => reject(new Error(`more than ${PARTS_MAX} parts`)))
    parser.on('field', (name: string | undefined, value, _nameCut, isCut) => {
      if (name === undefined) return reject(nameless())
      // No honest text has this character. The cut of a long text may be inside a character, so that is not checked.
      if ([name, isCut ? '' : value].some((one) => one.includes(REPLACEMENT))) reject(notUtf8())
      addText(reading, { name, value, isCut })
    })
    parser.on('file', (name: string | undefined, stream, fileName, _encoding, type) => {
      streams.push(stream)
      // The reader of the stream gets the error; without a reader it does not matter.
      stream.on('error', () => undefined)
      if (name === undefined) return reject(nameless())
      const stored = addFile(reading, { name, stream, fileName, type })
      stored.catch(reject)
      storing.push(stored)
    })
    parser.on('finish', () => void Promise.all(storing).then(() => resolve(), reject))
    body.on('end', () => void untilStored(storing).then(() => reject(new Error('no end'))))
    body.pipe(parser)
  })
}

const nameless = (): Error => new Error('a part has no name')

/** The parser is silent about a part that never ends. Otherwise it has finished once all was sent and stored. */
async function untilStored(storing: readonly Promise<void>[]): Promise<void> {
  for (let seen = -1; seen !== storing.length; await nextTurn()) {
    seen = storing.length
    await Promise.allSettled(storing)
  }
}

type TextPart = Readonly<{ name: string; value: string; isCut: boolean }>

function addText(reading: Reading, { name, value, isCut }: TextPart): void {
  const { parts, errors, lines, limits } = reading
  lines.push(JSON.stringify(['text', name, value]))
  if (!takeName(reading, name)) return
  parts[name] = value
  if (limits.fileParts.includes(name)) {
    errors.push({ field: name, message: 'must be a file' })
  } else if (isCut) {
    const message = `must have at most ${TEXT_BYTES_MAX} bytes`
    errors.push({ field: name, constraint: { maxLength: TEXT_BYTES_MAX }, message })
  }
}

type FilePart = Readonly<{
  name: string
  stream: Readable
  fileName: string | undefined
  type: string
}>

async function addFile(reading: Reading, part: FilePart): Promise<void> {
  const { store, parts, errors, lines, uploads, storedIds, limits } = reading
  const { name, stream, fileName, type } = part
  const isWanted = takeName(reading, name) && limits.fileParts.includes(name)
  if (hasInvisible(fileName ?? ''))
    errors.push({ field: name, message: 'must not have invisible characters in its file name' })
  const measured = measure(stream, limits.fileBytesMax)
  if (isWanted) {
    const id = newUuid()
    storedIds.push(id)
    await store.write(id, measured.bytes)
    const upload = newUpload({ id, fileName, type, ...measured.result() })
    uploads.push(upload)
    parts[name] = upload
  } else {
    await readToEnd(measured.bytes)
  }
  lines.push(JSON.stringify(['file', name, fileName, measured.result().digest]))
}

/** A part may be given once; a later one of the same name is not looked at. */
function takeName({ parts, errors }: Reading, name: string): boolean {
  if (Object.hasOwn(parts, name)) {
    errors.push({ field: name, message: 'must be given once' })
    return false
  }
  parts[name] = {}
  return true
}

/** Counts and digests the bytes that pass through. Fails: PAYLOAD_TOO_LARGE. */
function measure(source: AsyncIterable<Buffer>, bytesMax: number) {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let length = 0
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      if (length < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES))
      length += chunk.length
      if (length > bytesMax) fail('PAYLOAD_TOO_LARGE')
      hash.update(chunk)
      yield chunk
    }
  }
  return {
    bytes: bytes(),
    result: () => ({
      bytes: length,
      digest: hash.copy().digest('hex'),
      head: Buffer.concat(head).subarray(0, HEAD_BYTES),
    }),
  }
}

async function readToEnd(bytes: AsyncGenerator<Buffer>): Promise<void> {
  while (!(await bytes.next()).done);
}

async function undo({ streams, storing, storedIds, store }: Reading): Promise<void> {
  streams.forEach((stream) => stream.destroy())
  await Promise.allSettled(storing)
  await Promise.all(storedIds.map((id) => store.erase(id)))
}

function readPast(body: Readable): void {
  body.unpipe()
  body.resume()
  void delay(DRAIN_MS, undefined, { ref: false }).then(() => body.destroy())
}

const notUtf8 = (): ApiError =>
  new ApiError('INVALID_REQUEST_FORMAT', { details: { reason: 'The body is not valid UTF-8.' } })

function malformed(error: unknown): unknown {
  // An error of the disk is not the sender's fault.
  if ((error as NodeJS.ErrnoException).syscall !== undefined) return error
  const details = { reason: 'The body is not a well-formed multipart form.' }
  return new ApiError('INVALID_REQUEST_FORMAT', { details, because: String(error) })
}
