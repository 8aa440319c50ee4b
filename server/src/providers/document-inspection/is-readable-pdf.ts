/**
 * Whether a PDF is whole and open to whoever has it (chapter 11, 7.7). Nothing of it is decompressed: how the file ends
 * and whether it is encrypted stands in plain text, also where all the rest is packed.
 */
const TAIL_BYTES = 2048

/** As it stands in a trailer: the number of an object, or the dictionary itself. */
const ENCRYPTED = /\/Encrypt\s*(\d+\s+\d+\s+R|<<)/

export function isReadablePdf(bytes: Buffer): boolean {
  const tail = bytes.subarray(-TAIL_BYTES)
  if (!tail.includes('startxref') || !tail.includes('%%EOF')) return false
  return ![...trailersOf(bytes)].some((trailer) => ENCRYPTED.test(trailer))
}

/** The dictionaries that describe the file as a whole: after `trailer`, or of a packed table of references. */
function* trailersOf(bytes: Buffer): Generator<string> {
  for (const at of placesOf(bytes, 'trailer')) {
    yield textBetween(bytes, at, ahead(bytes, 'startxref', at))
  }
  for (const at of placesOf(bytes, '/XRef')) {
    yield textBetween(bytes, bytes.lastIndexOf('obj', at), ahead(bytes, 'stream', at))
  }
}

function* placesOf(bytes: Buffer, word: string): Generator<number> {
  for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + 1)) yield at
}

function ahead(bytes: Buffer, word: string, from: number): number {
  const at = bytes.indexOf(word, from)
  return at === -1 ? bytes.length : at
}

/** A dictionary is short; what pretends to be a long one is looked at where it begins. */
const DICTIONARY_BYTES_MAX = 16 * 1024

const textBetween = (bytes: Buffer, from: number, to: number): string =>
  bytes.toString('latin1', Math.max(0, from), Math.min(to, from + DICTIONARY_BYTES_MAX))
