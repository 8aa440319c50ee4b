import { toParameter } from './parameter.ts'

/** Appends a value; false where it has no binary form of this type. */
type Write = (value: unknown) => boolean

/** The buffer of the current message, reused for the next one. */
let bytes = Buffer.allocUnsafe(64 * 1024)
let at = 0
/** A larger buffer is not kept for the next message. */
const KEPT_BYTES_MAX = 1024 * 1024

function makeRoom(size: number): void {
  if (at + size <= bytes.length) return
  const larger = Buffer.allocUnsafe(2 * (at + size))
  bytes.copy(larger, 0, 0, at)
  bytes = larger
}

/** The callers of this and of the next two have made room. */
function setInt32(place: number, value: number): void {
  bytes[place] = value >>> 24
  bytes[place + 1] = value >>> 16
  bytes[place + 2] = value >>> 8
  bytes[place + 3] = value
}

function addInt32(value: number): void {
  setInt32(at, value)
  at += 4
}

function addInt16(value: number): void {
  bytes[at++] = value >>> 8
  bytes[at++] = value
}

/** Up to this length a loop costs less than a call into the runtime. */
const SHORT_CHARS_MAX = 40

function writeString(text: string): void {
  makeRoom(3 * text.length)
  if (text.length > SHORT_CHARS_MAX || !writeAscii(text)) at += bytes.write(text, at)
}

function writeAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return false
    bytes[at + index] = code
  }
  at += text.length
  return true
}

function writeText(value: unknown): boolean {
  if (Buffer.isBuffer(value)) return writeBytes(value)
  const text = Array.isArray(value) ? undefined : toParameter(value)
  if (typeof text !== 'string') return false
  writeString(text)
  return true
}

const UUID_CHARS = 36
const UUID_BYTES = 16
const HYPHEN = 0x2d
const HYPHENS = [8, 13, 18, 23]
/** Where the two digits of each byte stand. */
const PAIRS = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34)
/** The values of hexadecimal digits by their character; negative for any other one. */
const DIGITS = new Int8Array(256).fill(-1)
for (const digit of '0123456789abcdefABCDEF')
  DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16)

function writeUuid(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== UUID_CHARS) return false
  for (const place of HYPHENS) if (value.charCodeAt(place) !== HYPHEN) return false
  makeRoom(UUID_BYTES)
  for (let index = 0; index < UUID_BYTES; index += 1) {
    const place = PAIRS[index] as number
    const byte = (digitAt(value, place) << 4) | digitAt(value, place + 1)
    if (byte < 0) return false
    bytes[at + index] = byte
  }
  at += UUID_BYTES
  return true
}

const digitAt = (text: string, place: number): number => DIGITS[text.charCodeAt(place)] ?? -1

const TWO_TO_32 = 2 ** 32

/** Writes a safe integer, which is faster than writing a bigint. */
function writeInt64(value: number): boolean {
  if (!Number.isSafeInteger(value)) return false
  makeRoom(8)
  const high = Math.floor(value / TWO_TO_32)
  addInt32(high)
  addInt32(value - high * TWO_TO_32)
  return true
}

function writeBigint(value: unknown): boolean {
  if (typeof value === 'number') return writeInt64(value)
  if (typeof value !== 'bigint') return false
  const number = Number(value)
  if (Number.isSafeInteger(number)) return writeInt64(number)
  if (BigInt.asIntN(64, value) !== value) return false
  makeRoom(8)
  at = bytes.writeBigInt64BE(value, at)
  return true
}

function writeInteger(value: unknown): boolean {
  if (typeof value !== 'number' || (value | 0) !== value) return false
  makeRoom(4)
  addInt32(value)
  return true
}

/** PostgreSQL counts microseconds from this instant. */
const EPOCH_MS = Date.UTC(2000)

function writeMoment(value: unknown): boolean {
  return value instanceof Date && writeInt64((value.getTime() - EPOCH_MS) * 1_000)
}

function writeBytes(value: unknown): boolean {
  if (!Buffer.isBuffer(value)) return false
  makeRoom(value.length)
  bytes.set(value, at)
  at += value.length
  return true
}

function writeByte(byte: number): boolean {
  makeRoom(1)
  bytes[at++] = byte
  return true
}

const INTEGER = { oid: 23, write: writeInteger }
const JSONB_VERSION = 1

/** By the type behind the parameter. Other types are sent as text. */
const TYPES: Readonly<Record<string, Readonly<{ oid: number; write: Write }>>> = {
  uuid: { oid: 2950, write: writeUuid },
  text: { oid: 25, write: writeText },
  timestamptz: { oid: 1184, write: writeMoment },
  bigint: { oid: 20, write: writeBigint },
  integer: INTEGER,
  int: INTEGER,
  bytea: { oid: 17, write: writeBytes },
  boolean: { oid: 16, write: (value) => typeof value === 'boolean' && writeByte(value ? 1 : 0) },
  jsonb: { oid: 3802, write: (value) => writeByte(JSONB_VERSION) && writeText(value) },
}

const NULL_LENGTH = -1

/** Appends a value behind its length; false where it has no binary form. */
function writeElement(value: unknown, write: Write): boolean {
  makeRoom(4)
  if (value === null || value === undefined) {
    addInt32(NULL_LENGTH)
    return true
  }
  const start = at
  at += 4
  if (!write(value)) return false
  setInt32(start, at - start - 4)
  return true
}

/** Up to this length a written element is copied by a loop, which costs less than writing its value again. */
const COPIED_BYTES_MAX = 64

/** A column often repeats a value, such as the platform's id or the time. */
function writeElements(values: readonly unknown[], write: Write): boolean {
  let previous: unknown = values
  let start = at
  for (const value of values) {
    const size = at - start
    if (value === previous && size <= COPIED_BYTES_MAX) {
      makeRoom(size)
      for (let index = 0; index < size; index += 1)
        bytes[at + index] = bytes[start + index] as number
      start = at
      at += size
      continue
    }
    start = at
    if (!writeElement(value, write)) return false
    previous = value
  }
  return true
}

export type ListWriter = (values: readonly unknown[]) => boolean

const LIST_HEAD_BYTES = 20

/**
 * Writes lists of this type in PostgreSQL's binary form, since the server parses a list in text form character by
 * character. False for a list with a value that has no binary form.
 */
export function listWriter(type: string): ListWriter | undefined {
  const known = TYPES[type]
  if (!known) return undefined
  const { oid, write } = known
  return (values) => {
    makeRoom(LIST_HEAD_BYTES)
    const dimensions = values.length === 0 ? 0 : 1
    addInt32(dimensions)
    // There may be nulls.
    addInt32(1)
    addInt32(oid)
    if (dimensions === 0) return true
    addInt32(values.length)
    // The number of the first.
    addInt32(1)
    return writeElements(values, write)
  }
}

const BIND = 0x42
const TEXT_FORM = 0
const BINARY_FORM = 1

/** Appends a parameter behind its length, and returns its form. */
function writeParameter(value: unknown, writeList: ListWriter | undefined): number {
  makeRoom(4)
  const start = at
  at += 4
  if (writeList && Array.isArray(value)) {
    if (writeList(value)) {
      setInt32(start, at - start - 4)
      return BINARY_FORM
    }
    at = start + 4
  }
  const parameter = toParameter(value)
  if (parameter === null) {
    setInt32(start, NULL_LENGTH)
    return TEXT_FORM
  }
  if (typeof parameter === 'string') writeString(parameter)
  else writeBytes(parameter)
  setInt32(start, at - start - 4)
  return typeof parameter === 'string' ? TEXT_FORM : BINARY_FORM
}

/**
 * The message that binds values to a prepared statement, written at once: a buffer for each value would cost more than
 * its bytes. `listWriters` are by the number of the parameter.
 */
export function bindMessage(
  statement: string,
  values: readonly unknown[],
  listWriters: readonly (ListWriter | undefined)[],
): Buffer {
  at = 0
  makeRoom(statement.length + 2 * values.length + 11)
  bytes[at] = BIND
  // The length of the message comes last, and the portal has no name.
  bytes[5] = 0
  at = 6
  writeString(statement)
  bytes[at++] = 0
  addInt16(values.length)
  const forms = at
  at += 2 * values.length
  addInt16(values.length)
  values.forEach((value, index) => {
    const form = writeParameter(value, listWriters[index])
    bytes[forms + 2 * index] = 0
    bytes[forms + 2 * index + 1] = form
  })
  makeRoom(4)
  // All results come as text.
  addInt16(1)
  addInt16(TEXT_FORM)
  setInt32(1, at - 1)
  const message = Buffer.from(bytes.subarray(0, at))
  if (bytes.length > KEPT_BYTES_MAX) bytes = Buffer.allocUnsafe(KEPT_BYTES_MAX)
  return message
}
