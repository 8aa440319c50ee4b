import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBase58check } from '@scure/base'
import { sha256 } from '@noble/hashes/sha2.js'
import { hasTronForm, hasTronFormWithSuffix, isTronAddress, toTronAddress } from './tron-address.ts'

/** Published pairs of address and hex. */
const PAIRS: readonly [string, string][] = [
  ['TCNtTa1rveKkovHR2ebABu4K66U6ocUCZX', '1a6ac17c82ad141ebc524a9ffc94965848f35279'],
  ['TEEFn7rQqx4Xc3GL1Bx27A155xAj7w5W7a', '2eb90f8356345c903d9f85e58d1b8177890adfb6'],
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
]

for (const [address, hash] of PAIRS) {
  test(`EACC-5 ${address} is base58check of its 21 bytes`, () => {
    assert.ok(hasTronForm(address))
    assert.ok(isTronAddress(address))
    assert.equal(toTronAddress(Buffer.from(hash, 'hex')), address)
  })
}

const [[address = '', hash = ''] = []] = PAIRS
const foreign = createBase58check(sha256).encode(Buffer.from(`a0${hash}`, 'hex'))

const CASES: readonly [string, boolean, boolean, string][] = [
  [`${address.slice(0, -1)}Y`, true, false, 'checksum broken'],
  [address.slice(1), false, false, 'no T'],
  [`${address}1`, false, false, 'one character long'],
  [address.replace('N', '0'), false, false, 'a character that base58 leaves out'],
  [foreign, false, false, 'the test network of old'],
]

for (const [text, form, strict, reason] of CASES) {
  test(`EACC-3 Tron address: ${reason}`, () => {
    assert.equal(hasTronForm(text), form)
    assert.equal(isTronAddress(text), strict)
  })
}

test('EACC-3 a sandbox suffix is free of the alphabet, the rest is not', () => {
  assert.ok(hasTronFormWithSuffix(`${address.slice(0, -3)}002`))
  assert.ok(!hasTronFormWithSuffix(`T0${address.slice(2, -3)}002`))
})
