const SHOWN_CHARS = 4

/** A government's number as far as it is shown: all but its end are stars, separators stay so that the form is seen. */
export function maskGovernmentNumber(number: string): string {
  const hidden = number.slice(0, -SHOWN_CHARS).replace(/[\p{L}\p{N}]/gu, '*')
  return `${hidden}${number.slice(-SHOWN_CHARS)}`
}
