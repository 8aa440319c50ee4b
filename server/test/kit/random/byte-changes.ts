import fc from 'fast-check'

/** The same bytes with exactly one of them changed, anywhere, to anything. */
export function byteChangesOf(bytes: Buffer): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }))
    .map(([index, difference]) => {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(index) ^ difference, index)
      return changed
    })
}

/** The same for a text of one-byte characters. */
export function characterChangesOf(text: string): fc.Arbitrary<string> {
  return byteChangesOf(Buffer.from(text, 'latin1')).map((bytes) => bytes.toString('latin1'))
}
