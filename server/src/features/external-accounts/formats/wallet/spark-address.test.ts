import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesToHex } from '@noble/hashes/utils.js'
import { bech32m } from '@scure/base'
import {
  hasSparkForm,
  hasSparkFormWithSuffix,
  isMainnetSparkAddress,
  sparkIdentityKey,
} from './spark-address.ts'

/** The vector of the public spark-address library: an identity key and its mainnet address. */
const KEY = '02894808873b896e21d29856a6d7bb346fb13c019739adb9bf0b6a8b7e28da53da'
const ADDRESS = 'spark1pgss9z2gpzrnhztwy8ffs44x67angma38sqewwddhxlsk65t0c5d5576quly2j'
/** A second one, in the older spelling of the prefix. */
const OLDER = 'sp1pgss8u5vh4cldqxarcl2hnqgqelhupdt6g9e9y5x489t8ky355f3veh6dln5pf'

function encode(prefix: string, payload: number[]): string {
  return bech32m.encode(prefix, bech32m.toWords(new Uint8Array(payload)), false)
}

const key = [...Buffer.from(KEY, 'hex')]

test('OWN-6 an address spells out the identity key', () => {
  assert.equal(bytesToHex(sparkIdentityKey(ADDRESS) as Uint8Array), KEY)
  assert.ok(sparkIdentityKey(OLDER))
})

const FORM: readonly (readonly [string, boolean, string])[] = [
  [ADDRESS, true, 'mainnet'],
  [OLDER, true, 'the older prefix'],
  ...['sparkt', 'sparkrt', 'sparks', 'sparkl', 'spt', 'sprt', 'sps', 'spl'].map(
    (prefix) => [encode(prefix, [0x0a, 33, ...key]), true, `prefix ${prefix}`] as const,
  ),
  [`spark1${'q'.repeat(40)}`, true, 'forty characters, whatever they say'],
  [`spark1${'q'.repeat(39)}`, false, 'thirty-nine characters'],
  [`sparkx1${'q'.repeat(40)}`, false, 'no such network'],
  [ADDRESS.replace('z', 'b'), false, 'b is not in the alphabet'],
  [ADDRESS.replace('z', 'Z'), false, 'mixed case'],
  [ADDRESS.toUpperCase(), false, 'capitals are lowered before'],
]

for (const [address, expected, reason] of FORM) {
  test(`EACC-3 the form of a Spark address: ${reason}`, () => {
    assert.equal(hasSparkForm(address), expected)
  })
}

test('EACC-5 a sandbox suffix is free of the alphabet, all before it is not', () => {
  const before = ADDRESS.slice(0, -3)
  for (const suffix of ['002', '007', '102', '105']) {
    assert.ok(hasSparkFormWithSuffix(`${before}${suffix}`), suffix)
  }
  assert.equal(hasSparkForm(`${before}102`), false)
  assert.equal(hasSparkFormWithSuffix(`${before.replace('z', 'b')}102`), false)
  assert.equal(hasSparkFormWithSuffix(`spark1${'q'.repeat(36)}102`), false)
})

const offTheCurve = [...key.slice(0, 32), 0xdb]

const STRICT: readonly [string, boolean, string][] = [
  [ADDRESS, true, 'mainnet'],
  [OLDER, true, 'mainnet, older prefix'],
  [`${ADDRESS.slice(0, -1)}q`, false, 'checksum broken'],
  [encode('sparkrt', [0x0a, 33, ...key]), false, 'a test network'],
  [encode('spark', [0x12, 33, ...key]), false, 'another field first'],
  [encode('spark', [0x0a, 32, ...key.slice(0, 32)]), false, 'a key of 32 bytes'],
  [encode('spark', [0x0a, 33, 5, ...key.slice(1)]), false, 'no such kind of key'],
  [encode('spark', [0x0a, 33, ...offTheCurve]), false, 'a point off the curve'],
  [encode('spark', [0x0a, 33, ...key, 0x12, 1, 0]), true, 'an invoice follows the key'],
]

for (const [address, expected, reason] of STRICT) {
  test(`EACC-5 the truth of a Spark address: ${reason}`, () => {
    assert.equal(isMainnetSparkAddress(address), expected)
  })
}
