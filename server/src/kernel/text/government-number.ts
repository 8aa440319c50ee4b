const SHOWN_CHARS = 4

/** Masks all but the last four characters of a government's number; separators stay. */
export function maskGovernmentNumber(number: string): string {
  const hidden = number.slice(0, -SHOWN_CHARS).replace(/[\p{L}\p{N}]/gu, '*')
  return `${hidden}${number.slice(-SHOWN_CHARS)}`
}
