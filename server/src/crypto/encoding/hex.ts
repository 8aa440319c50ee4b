const HEX = /^(?:[0-9a-fA-F]{2})+$/

/** Whole bytes, at least one, in either case. */
export function decodeHex(text: string): Buffer | undefined {
  return HEX.test(text) ? Buffer.from(text, 'hex') : undefined
}
