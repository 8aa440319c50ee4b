/**
 * Checks that a PDF is complete and not encrypted (chapter 11, 7.7). Nothing is decompressed: the end of the file and its
 * encryption are stated in plain text, also where the rest is compressed.
 */
const TAIL_BYTES = 2048

export function isWholePdf(bytes: Buffer): boolean {
  const tail = bytes.subarray(-TAIL_BYTES)
  return tail.includes('startxref') && tail.includes('%%EOF')
}

export const isEncryptedPdf = (bytes: Buffer): boolean => isEncrypted(bytes.toString('latin1'))

/** A dictionary is short; of a longer one only the beginning is read. */
const DICTIONARY_LENGTH_MAX = 16 * 1024

/** `/Encrypt` as it stands in a trailer: with the number of an object, or the dictionary itself. */
const WORDS = /trailer|startxref|obj|stream|\/XRef|\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/g

/**
 * Looks for encryption in the dictionaries of the whole file: one after `trailer`, or that of a compressed reference
 * table. The file is scanned once, whatever it holds, since other documents wait.
 */
function isEncrypted(text: string): boolean {
  let trailer: number | undefined
  let object = { at: 0, isTable: false, isEncrypted: false }
  const isNear = (from: number, at: number): boolean => at - from <= DICTIONARY_LENGTH_MAX
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (word === 'trailer') trailer = index
    else if (word === 'startxref') trailer = undefined
    else if (word === 'obj' || word === 'stream') {
      object = { at: index, isTable: false, isEncrypted: false }
    } else if (word === '/XRef') object.isTable = true
    else {
      if (trailer !== undefined && isNear(trailer, index)) return true
      object.isEncrypted ||= isNear(object.at, index)
    }
    if (object.isTable && object.isEncrypted) return true
  }
  return false
}
