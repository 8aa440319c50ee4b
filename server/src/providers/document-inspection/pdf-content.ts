/**
 * Whether a PDF does something when it is opened, or brings other files along: scripts, programs to launch, embedded
 * files. Their names count wherever they stand, since a reader finds objects by their offsets: what looks like a text
 * or the inside of a stream may be one. Streams of packed objects are unpacked within a bound, no others.
 */
import { inflateSync } from 'node:zlib'
import { dictionaryAt, namesIn, skipBlanks } from './pdf-names.ts'

/** Of all packed objects of a document together. */
const INFLATED_BYTES_MAX = 2 * 1024 * 1024

/** `opaque`: its compressed objects are damaged, too large or in a rare format, and cannot be inspected. */
export type PdfContent = 'plain' | 'active' | 'opaque'

const ACTIVE: ReadonlySet<string> = new Set([
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
])
/** So short that packed bytes hold them by chance; they count in objects alone. */
const ACTIVE_IN_OBJECT: ReadonlySet<string> = new Set([...ACTIVE, 'JS', 'EF'])

/** A stream of objects says where the first begins, also where it does not state its type. */
const OF_OBJECT_STREAM = ['ObjStm', 'First']
const FILTERS = [
  ...['FlateDecode', 'ASCIIHexDecode', 'ASCII85Decode', 'LZWDecode', 'RunLengthDecode', 'Crypt'],
  ...['Fl', 'AHx', 'A85', 'LZW', 'RL', 'CCITTFaxDecode', 'DCTDecode', 'JBIG2Decode', 'JPXDecode'],
]
const WANTED: ReadonlySet<string> = new Set([
  ...ACTIVE_IN_OBJECT,
  ...OF_OBJECT_STREAM,
  ...FILTERS,
  ...['Filter', 'Predictor'],
])

const OBJECTS = /(?<!end)obj/g
const STREAM = /stream(?:\r\n|\n|\r)/y

export function contentOf(bytes: Buffer): PdfContent {
  const text = bytes.toString('latin1')
  if (holdsAny(namesIn(text), ACTIVE)) return 'active'
  let left = INFLATED_BYTES_MAX
  for (const { 0: word, index } of text.matchAll(OBJECTS)) {
    const dictionary = dictionaryAt(text, { start: index + word.length, wanted: WANTED })
    if (!dictionary) continue
    const { names, end } = dictionary
    if (holdsAny(names, ACTIVE_IN_OBJECT)) return 'active'
    STREAM.lastIndex = skipBlanks(text, end)
    if (!OF_OBJECT_STREAM.some((name) => names.has(name)) || !STREAM.test(text)) continue
    const objects = unpacked(bytes.subarray(STREAM.lastIndex), { names, bytesMax: left })
    if (!objects) return 'opaque'
    if (holdsAny(namesIn(objects.toString('latin1')), ACTIVE_IN_OBJECT)) return 'active'
    left -= objects.length
  }
  return 'plain'
}

function holdsAny(names: Iterable<string>, wanted: ReadonlySet<string>): boolean {
  for (const name of names) if (wanted.has(name)) return true
  return false
}

/** Undefined where it does not unpack to its end within the bound. */
function unpacked(
  packed: Buffer,
  { names, bytesMax }: Readonly<{ names: ReadonlySet<string>; bytesMax: number }>,
): Buffer | undefined {
  // An uncompressed stream is scanned as part of the file.
  if (!names.has('Filter')) return Buffer.alloc(0)
  const filters = FILTERS.filter((name) => names.has(name))
  const isFlate = filters.length === 1 && filters[0] === 'FlateDecode'
  if (!isFlate || names.has('Predictor') || bytesMax === 0) return undefined
  try {
    return inflateSync(packed, { maxOutputLength: bytesMax })
  } catch {
    return undefined
  }
}
