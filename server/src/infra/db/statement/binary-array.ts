import { toParameter } from './parameter.ts'

/** Appends a value; false where it has no binary form of this type. */
type Write = (value: unknown) => boolean

/** The buffer of the current array, reused for the next one. */
let bytes = Buffer.allocUnsafe(64 * 1024)
let at = 0
/** A larger buffer is not kept for the next array. */
const KEPT_BYTES_MAX = 1024 * 1024

function makeRoom(size: number): void {
  if (at + size <= bytes.length) return
  const larger = Buffer.allocUnsafe(2 * (at + size))
  bytes.copy(larger, 0, 0, at)
  bytes = larger
}

function writeInt32(value: number): void {
  bytes.writeInt32BE(value, at)
  at += 4
}

/** Up to this length a loop costs less than a call into the runtime. */
const SHORT_CHARS_MAX = 40

function writeText(value: unknown): boolean {
  const text = Array.isArray(value) ? undefined : toParameter(value)
  if (typeof text !== 'string') return false
  makeRoom(3 * text.length)
  if (text.length > SHORT_CHARS_MAX || !writeAscii(text)) at += bytes.write(text, at)
  return true
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

const UUID_CHARS = 36
const isHyphenAt = (index: number): boolean =>
  index === 8 || index === 13 || index === 18 || index === 23

/** The value of a hexadecimal digit; -1 for another character. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

function writeUuid(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== UUID_CHARS) return false
  makeRoom(UUID_CHARS)
  for (let index = 0; index < UUID_CHARS; index += isHyphenAt(index) ? 1 : 2) {
    if (isHyphenAt(index)) {
      if (value[index] !== '-') return false
      continue
    }
    const [high, low] = [digitOf(value.charCodeAt(index)), digitOf(value.charCodeAt(index + 1))]
    if (high < 0 || low < 0) return false
    bytes[at++] = high * 16 + low
  }
  return true
}

/** Writes a safe integer, which is faster than writing a bigint. */
function writeInt64(value: number): boolean {
  if (!Number.isSafeInteger(value)) return false
  makeRoom(8)
  const high = Math.floor(value / 2 ** 32)
  bytes.writeInt32BE(high, at)
  bytes.writeUInt32BE(value - high * 2 ** 32, at + 4)
  at += 8
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
  writeInt32(value)
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
  at += value.copy(bytes, at)
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

export type ArrayEncoder = (values: readonly unknown[]) => Buffer | undefined

/**
 * Encodes lists of this type in PostgreSQL's binary form, since the server parses a list in text form character by
 * character. The encoder returns undefined for a list with a value that has no binary form.
 */
export function arrayEncoder(type: string): ArrayEncoder | undefined {
  const known = TYPES[type]
  if (!known) return undefined
  const { oid, write } = known
  const writeElement = (value: unknown): boolean => {
    makeRoom(4)
    if (value === null || value === undefined) {
      writeInt32(NULL_LENGTH)
      return true
    }
    const start = at
    at += 4
    if (!write(value)) return false
    bytes.writeInt32BE(at - start - 4, start)
    return true
  }
  return (values) => {
    at = 0
    const dimensions = values.length === 0 ? 0 : 1
    // The third word says that there may be nulls.
    for (const word of [dimensions, 1, oid]) writeInt32(word)
    // How many there are, and the number of the first.
    if (dimensions > 0) for (const word of [values.length, 1]) writeInt32(word)
    const isWritten = values.every(writeElement)
    const array = isWritten ? Buffer.from(bytes.subarray(0, at)) : undefined
    if (bytes.length > KEPT_BYTES_MAX) bytes = Buffer.allocUnsafe(KEPT_BYTES_MAX)
    return array
  }
}
