import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  OTP_TARGET,
  OTP_TARGET_PUBLIC,
  SIGNER,
  SIGNER_PUBLIC,
  TEK,
  TEK_PRIVATE,
  TEK_PUBLIC,
} from '../../../../test/kit/wallets/vectors.ts'
import { keyPairOf, newKeyPair } from './key-pair.ts'
import { isSamePoint, parsePoint, pointBytes } from './point.ts'

test('chapter 20, 13: the published private keys have the published public keys', () => {
  assert.equal(TEK.scalar.toString('hex'), TEK_PRIVATE)
  assert.equal(TEK.point.compressed, TEK_PUBLIC)
  assert.equal(OTP_TARGET.point.uncompressed, OTP_TARGET_PUBLIC)
  assert.equal(SIGNER.point.uncompressed, SIGNER_PUBLIC)
})

test('CHAL-3 a point is the same in both encodings and both cases', () => {
  const { compressed, uncompressed } = TEK.point
  const upper = (hex: string): string => hex.toUpperCase()
  for (const text of [compressed, uncompressed, upper(compressed), upper(uncompressed)]) {
    assert.deepEqual(parsePoint(text), TEK.point, text)
  }
  assert.equal(pointBytes(TEK.point).toString('hex'), uncompressed)
  assert.equal(isSamePoint(TEK.point, { ...TEK.point }), true)
  assert.equal(isSamePoint(TEK.point, SIGNER.point), false)
})

test('CHAL-3 a malformed text and a point off the curve are refused', () => {
  const { compressed, uncompressed } = TEK.point
  const cases = [
    ['', 'empty'],
    [compressed.slice(0, -2), 'a byte short'],
    [`${compressed}00`, 'a byte long'],
    [uncompressed.slice(2), 'x and y without a head'],
    [`05${compressed.slice(2)}`, 'another head'],
    [`00`, 'the point at infinity'],
    [`06${uncompressed.slice(2)}`, 'the hybrid form'],
    [`0x${compressed}`, 'a prefix'],
    [` ${compressed}`, 'white space'],
    [`${compressed}\n`, 'a line end'],
    [`04${'00'.repeat(64)}`, 'zero'],
    [`02${'ff'.repeat(32)}`, 'x beyond the field'],
    [`020000000000000000000000000000000000000000000000000000000000000001`, 'x of no point'],
    [`${uncompressed.slice(0, -2)}00`, 'another y'],
    [`${'g'.repeat(66)}`, 'no hex'],
  ] as const
  for (const [text, why] of cases) assert.equal(parsePoint(text), undefined, why)
})

test('VRFY-12 a new key pair belongs together, its scalar padded to 32 bytes', () => {
  const seen = new Set<string>()
  let hasLeadingZero = false
  // One in 256 begins with a zero.
  for (let round = 0; round < 20_000 && !hasLeadingZero; round += 1) {
    const { scalar, point } = newKeyPair()
    hasLeadingZero = scalar[0] === 0
    seen.add(point.compressed)
    assert.equal(scalar.length, 32)
    assert.deepEqual(keyPairOf(scalar).point, point)
    assert.equal(seen.size, round + 1)
  }
  assert.ok(hasLeadingZero)
})

test('section 8: changing one character of an uncompressed point leaves the curve', () => {
  const changes = fc.tuple(fc.nat(127), fc.integer({ min: 1, max: 15 }))
  fc.assert(
    fc.property(changes, ([index, difference]) => {
      const characters = [...TEK.point.uncompressed]
      const nibble = Number.parseInt(characters[index + 2] ?? '', 16) ^ difference
      characters[index + 2] = nibble.toString(16)
      assert.equal(parsePoint(characters.join('')), undefined)
    }),
  )
})
