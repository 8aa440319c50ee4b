import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coseAlgorithm } from './cose-key.ts'

/** The example key of RFC 8152, C.7.1, "meriadoc.brandybuck", as an ES256 key. */
const X = '65eda5a12577c2bae829437fe338701a10aaa375e1bb5b5de108de439c08551d'
const Y = '1e52ed75701163f7f9e40ddf9f341b3dc9ba860af7e0ca7ca7e9eecd0084d19c'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const es256 = `a5 0102 0326 2001 215820${X} 225820${Y}`

test('CRED-13 a key of a known algorithm is known by it', () => {
  assert.equal(coseAlgorithm(hex(es256)), -7)
  // RFC 8032, 7.1, test 1.
  const ed25519 = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
  assert.equal(coseAlgorithm(hex(`a4 0101 0327 2006 215820${ed25519}`)), -8)
})

test('CRED-13 a key that could never sign is refused', () => {
  const cases = [
    ['', 'empty'],
    ['a0', 'an empty map'],
    ['80', 'an array'],
    [es256.slice(0, -4), 'cut off'],
    [`a5 0102 033822 2002 215820${X} 225820${Y}`, 'ES384'],
    [`a5 0101 0326 2001 215820${X} 225820${Y}`, 'ES256 of another kind of key'],
    [`a5 0102 0326 2002 215820${X} 225820${Y}`, 'ES256 on another curve'],
    [`a5 0102 0326 2001 215820${X} 225820${X}`, 'a point off the curve'],
    [`a4 0102 0326 2001 215820${X}`, 'no y'],
    [`a4 0101 0327 2004 215820${X}`, 'EdDSA on another curve'],
    [`a4 0103 0326 2041ff 2143010001`, 'an RSA key that calls itself ES256'],
    [`a4 0103 03390100 205840${'ff'.repeat(64)} 2143010001`, 'RSA with 512 bits'],
  ] as const
  for (const [text, why] of cases) assert.equal(coseAlgorithm(hex(text)), undefined, why)
})
