/** Encodings of bytes, on what every runtime has. */

/** Bytes with a buffer of their own, as WebCrypto wants them. */
export type Bytes = Uint8Array<ArrayBuffer>

export const utf8 = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text))

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Undefined for what is no hex. */
export function bytesOfHex(hex: string): Bytes | undefined {
  if (!/^([0-9a-f]{2})*$/i.test(hex)) return undefined
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  )
}

const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Undefined for what is not the one spelling that standard base64 with padding has for some bytes. */
export function bytesOfBase64(text: string): Bytes | undefined {
  try {
    const binary = atob(text)
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return btoa(binary) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

export const base64UrlOf = (bytes: Uint8Array): string =>
  base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

export function joined(...parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
