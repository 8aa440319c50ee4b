import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { sparkIdentityKey } from './spark-identity.ts'

/** What Spark's own client makes of these words on the main network. */
const VECTORS = [
  [
    'front anger move cradle expect rescue theme blood crater taste knee extra',
    '03f28cbd71f680dd1e3eabcc08067f7e05abd20b929286a9cab3d891a5131666fa',
  ],
  [
    'boost inject evil laptop mirror what shift upon junk better crime uncle',
    '039e5048cb53b568631dcc92c7fd719644dd4e8133def8f2ab6966b5dcc9ac7727',
  ],
] as const

for (const [words, key] of VECTORS) {
  test(`the words “${words.slice(0, 18)}…” are known on Spark by ${key.slice(0, 8)}…`, () => {
    const entropy = Buffer.from(mnemonicToEntropy(words, wordlist))
    assert.equal(Buffer.from(sparkIdentityKey(entropy)).toString('hex'), key)
  })
}
