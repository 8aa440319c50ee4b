import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { test } from 'node:test'
import { normalizeZ } from '@noble/curves/abstract/curve.js'
import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { byteChangesOf, characterChangesOf } from '../../../test/kit/random/byte-changes.ts'
import { newDeviceKey, stamp } from '../../../test/kit/wallets/client.ts'
import type { StampRuntime } from '../../../test/kit/wallets/client.ts'
import { SIGNER, STAMP, STAMPED_PAYLOAD, TEK } from '../../../test/kit/wallets/vectors.ts'
import { signingKey } from './keys/key-pair.ts'
import { SANDBOX_PROOFS } from './sandbox-values.ts'
import { parseStamp, verifyStamp } from './stamp.ts'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const content = JSON.parse(Buffer.from(STAMP, 'base64url').toString('utf8'))
const passes = (header: string, payload = STAMPED_PAYLOAD): boolean => {
  const parsed = parseStamp(header)
  return parsed !== undefined && verifyStamp(parsed, payload)
}

test('SIGN-7 the published stamp verifies over its payload, under the published key', () => {
  assert.deepEqual(parseStamp(STAMP)?.publicKey, TEK.point)
  assert.equal(passes(STAMP), true)
})

test('SIGN-7 the public client’s stamps verify, with either of its signers', async () => {
  for (const runtime of ['node', 'purejs'] satisfies StampRuntime[]) {
    for (let round = 0; round < 40; round += 1) {
      const payload = `${STAMPED_PAYLOAD}${'ü€😀'.repeat(round)}`
      assert.equal(passes(await stamp(newDeviceKey(), payload, runtime), payload), true, runtime)
    }
  }
})

test('SIGN-7 high and low S are both accepted', () => {
  const key = signingKey(TEK)
  const raw = sign('sha256', Buffer.from(STAMPED_PAYLOAD), { key, dsaEncoding: 'ieee-p1363' })
  const signature = p256.Signature.fromBytes(raw, 'compact')
  const order = p256.Point.Fn.ORDER
  const spellings = [signature, new p256.Signature(signature.r, order - signature.s)]
  assert.notEqual(spellings[0]!.hasHighS(), spellings[1]!.hasHighS())
  for (const one of spellings) {
    const header = encode({ ...content, signature: one.toHex('der') })
    assert.equal(passes(header), true, `high S: ${one.hasHighS()}`)
  }
})

test('SIGN-3 the tolerated spellings of a stamp verify', () => {
  const json = Buffer.from(STAMP, 'base64url').toString('utf8')
  const padded = Buffer.from(`${json} `).toString('base64')
  assert.match(padded, /=$/)
  const cases = [
    [padded, 'padding'],
    [Buffer.from(`{"more":">>>???",${json.slice(1)}`).toString('base64'), 'the standard alphabet'],
    [encode({ ...content, publicKey: TEK.point.uncompressed }), 'an uncompressed key'],
    [encode({ ...content, publicKey: TEK.point.compressed.toUpperCase() }), 'an upper-case key'],
    [encode({ ...content, signature: content.signature.toUpperCase() }), 'an upper-case signature'],
    [encode({ ...content, unknown: { a: 1 } }), 'an unknown member'],
  ] as const
  for (const [header, why] of cases) assert.equal(passes(header), true, why)
})

test('SIGN-3 a malformed text is no stamp', () => {
  const { signature, publicKey, ...rest } = content
  const offCurve = `02${'ff'.repeat(32)}`
  const cases = [
    ['', 'empty'],
    ['abc', 'no JSON'],
    [SANDBOX_PROOFS.stamp, 'the sandbox literal'],
    [`${STAMP}, ${STAMP}`, 'the header given twice'],
    [` ${STAMP}`, 'white space'],
    [`${STAMP}A`, 'a character too many'],
    [encode('text'), 'a JSON string'],
    [encode([content]), 'a JSON array'],
    [encode(null), 'null'],
    [encode({ ...rest, publicKey }), 'no signature'],
    [encode({ ...rest, signature }), 'no key'],
    [encode({ signature, publicKey }), 'no scheme'],
    [encode({ ...content, scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1' }), 'another scheme'],
    [encode({ ...content, publicKey: offCurve }), 'a key off the curve'],
    [encode({ ...content, publicKey: 7 }), 'a number for a key'],
    [encode({ ...content, publicKey: `0x${publicKey}` }), 'a prefix'],
    [encode({ ...content, signature: signature.slice(2) }), 'a signature cut off'],
    [encode({ ...content, signature: `${signature}00` }), 'a byte behind the signature'],
    [encode({ ...content, signature: `3081${signature.slice(2)}` }), 'the long form of a length'],
    [encode({ ...content, signature: 'ab'.repeat(64) }), 'r and s without DER'],
    [encode({ ...content, padding: 'x'.repeat(5_000) }), 'beyond any length'],
  ] as const
  for (const [header, why] of cases) assert.equal(parseStamp(header), undefined, why)
})

test('SIGN-7 a payload that was trimmed, re-serialised or changed in any byte does not verify', () => {
  const parsed = JSON.parse(STAMPED_PAYLOAD)
  for (const payload of [
    `${STAMPED_PAYLOAD} `,
    `${STAMPED_PAYLOAD}\n`,
    ` ${STAMPED_PAYLOAD}`,
    JSON.stringify(parsed, undefined, 1),
    JSON.stringify({ type: parsed.type, ...parsed }),
    STAMPED_PAYLOAD.slice(0, -1),
    '',
  ]) {
    assert.equal(passes(STAMP, payload), false, payload)
  }
  fc.assert(
    fc.property(characterChangesOf(STAMPED_PAYLOAD), (payload) => !passes(STAMP, payload)),
    { numRuns: 500 },
  )
})

test('SIGN-7 any changed byte of the signature is refused', () => {
  fc.assert(
    fc.property(
      byteChangesOf(Buffer.from(content.signature, 'hex')),
      (changed) => !passes(encode({ ...content, signature: changed.toString('hex') })),
    ),
    { numRuns: 1_000 },
  )
})

test('SIGN-7 any changed byte of the key is refused', () => {
  fc.assert(
    fc.property(
      byteChangesOf(Buffer.from(content.publicKey, 'hex')),
      (changed) => !passes(encode({ ...content, publicKey: changed.toString('hex') })),
    ),
    { numRuns: 300 },
  )
  assert.equal(passes(encode({ ...content, publicKey: SIGNER.point.compressed })), false)
})

test('SIGN-7 any changed character of the header is refused, or means the very same stamp', () => {
  const original = parseStamp(STAMP)
  fc.assert(
    fc.property(characterChangesOf(STAMP), (header) => {
      const parsed = parseStamp(header)
      if (parsed !== undefined && verifyStamp(parsed, STAMPED_PAYLOAD)) {
        assert.deepEqual(parsed, original)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('SIGN-7 keys beyond the number that is remembered verify all the same', () => {
  // The oldest make place; each comes back when it is needed.
  const signature = Buffer.from(content.signature, 'hex')
  const points = [p256.Point.BASE.double()]
  while (points.length < 4_200) points.push((points.at(-1) ?? p256.Point.BASE).add(p256.Point.BASE))
  // All at once: writing a point by itself takes as long as checking a signature.
  for (const point of normalizeZ(p256.Point, points)) {
    const publicKey = { compressed: point.toHex(true), uncompressed: point.toHex(false) }
    assert.equal(verifyStamp({ publicKey, signature }, STAMPED_PAYLOAD), false)
  }
  assert.equal(passes(STAMP), true)
})
