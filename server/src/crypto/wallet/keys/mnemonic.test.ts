import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { mnemonicOf, newWalletEntropy } from './mnemonic.ts'

/** The published vectors of BIP-39 with 128 bits. */
const VECTORS = [
  [
    '00000000000000000000000000000000',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  ],
  [
    '7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
  ],
  [
    '80808080808080808080808080808080',
    'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  ],
  ['ffffffffffffffffffffffffffffffff', 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong'],
] as const

test('EXPT-4 the published vectors of BIP-39 give their words', () => {
  for (const [entropy, words] of VECTORS) {
    assert.equal(mnemonicOf(Buffer.from(entropy, 'hex')), words)
  }
})

test('EXPT-4 a wallet has twelve valid words, always the same, and no two wallets share them', () => {
  const wallets = Array.from({ length: 50 }, newWalletEntropy)
  for (const entropy of wallets) {
    const words = mnemonicOf(entropy)
    assert.equal(words.split(' ').length, 12)
    assert.ok(validateMnemonic(words, wordlist))
    assert.equal(mnemonicOf(entropy), words)
  }
  assert.equal(new Set(wallets.map(mnemonicOf)).size, wallets.length)
})
