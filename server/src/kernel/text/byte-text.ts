/**
 * A text with a character for each byte of its UTF-8. One currency sign makes a whole text wide, and a wide text of a
 * kilobyte takes some microseconds to encode; this form is written as it stands.
 */
export type ByteText = string & { readonly __form: 'bytes' }

const PLAIN = /^[ !#-[\]-~]*$/

/** The JSON of a string. */
export const quoted = (value: string): ByteText =>
  (PLAIN.test(value) ? `"${value}"` : jsonText(value)) as ByteText

/** The JSON of any value that has one. */
export function jsonText(value: unknown): ByteText {
  const json = JSON.stringify(value)
  const isBytes = Buffer.byteLength(json) === json.length
  return (isBytes ? json : Buffer.from(json).toString('latin1')) as ByteText
}

export const bytesOf = (text: ByteText): Buffer => Buffer.from(text, 'latin1')
