/**
 * Base64url as browsers and wallets send it. Node's decoder skips unknown characters; here two texts decode to the same
 * bytes only if they differ in padding alone.
 */

const BASE64URL = /^[A-Za-z0-9_-]*={0,2}$/

/** Padding is tolerated. Undefined for any other character, and for bits that no byte accounts for. */
export function decodeBase64url(text: string): Buffer | undefined {
  if (!BASE64URL.test(text)) return undefined
  const bare = text.replace(/={1,2}$/, '')
  const bytes = Buffer.from(bare, 'base64url')
  return bytes.toString('base64url') === bare ? bytes : undefined
}

/** Also accepts the standard alphabet, for stamps (chapter 20, 3.7). */
export function decodeEitherBase64(text: string): Buffer | undefined {
  return decodeBase64url(text.replaceAll('+', '-').replaceAll('/', '_'))
}
