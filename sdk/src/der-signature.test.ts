import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import { bytesOfHex } from './bytes.ts'
import { derOfRaw, rawOfDer } from './der-signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

test('both spellings are those of the platform’s own library, whatever the numbers', () => {
  for (let n = 0; n < 500; n += 1) {
    const text = Buffer.from(`text ${n}`)
    const der = sign('sha256', text, privateKey)
    const raw = rawOfDer(der)
    assert.ok(raw)
    assert.ok(verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, raw))
    assert.deepEqual(Buffer.from(derOfRaw(raw)), der)
  }
})

test('small numbers lose their zeros and find them again', () => {
  const raw = new Uint8Array(64)
  raw[31] = 1
  raw[63] = 0x80
  assert.deepEqual(derOfRaw(raw), bytesOfHex('30070201010202 0080'.replace(' ', '')))
  assert.deepEqual(rawOfDer(derOfRaw(raw)), raw)
  assert.deepEqual(rawOfDer(derOfRaw(new Uint8Array(64))), new Uint8Array(64))
})

const REFUSED: readonly (readonly [because: string, hex: string])[] = [
  ['empty', ''],
  ['no sequence', '3106020101020101'],
  ['a wrong length', '3007020101020101'],
  ['something after it', '300602010102010100'],
  ['one integer', '3003020101'],
  ['no integers', '3006040101040101'],
  ['an empty integer', '30050200020101'],
  ['a negative integer', '3006020180020101'],
  ['a needless zero', '300702020001020101'],
  ['an integer of 33 bytes', `30260221 01${'00'.repeat(32)}020101`.replace(' ', '')],
  ['an integer that ends outside', '3006020101020501'],
]

for (const [because, hex] of REFUSED) {
  test(`a signature is refused that is ${because}`, () => {
    const der = bytesOfHex(hex)
    assert.ok(der)
    assert.equal(rawOfDer(der), undefined)
  })
}
