import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasBitcoinForm } from './bitcoin-address.ts'

const ADDRESSES = [
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', true, 'a witness program'],
  ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', true, 'a key hash'],
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', true, 'a script hash'],
  ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', true, 'of the test network'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3tb', false, 'b is no character of the alphabet'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', false, 'of another chain'],
  ['bc1', false, 'nothing after the prefix'],
  ['', false, 'nothing at all'],
] as const

for (const [address, isTaken, because] of ADDRESSES) {
  test(`FEE-8 ${address || 'an empty text'} is ${isTaken ? 'an' : 'no'} address: ${because}`, () => {
    assert.equal(hasBitcoinForm(address), isTaken)
  })
}
