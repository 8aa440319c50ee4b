import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { NETWORK_NAMES } from '../../features/rates/index.ts'
import { HASH_FORMS } from './transaction-hash.ts'

const HEX = 'Ab01'.repeat(16)
const SOLANA = base58.encode(new Uint8Array(64).fill(9))

/** Each network with a hash of its own form; all others are refused there. */
const FORMS = {
  SOLANA,
  ETHEREUM: `0x${HEX}`,
  BASE: `0x${HEX}`,
  POLYGON: `0x${HEX}`,
  PLASMA: `0x${HEX}`,
  TRON: HEX,
  SPARK: HEX,
  LIGHTNING: HEX,
  BITCOIN: HEX,
} as const

for (const network of NETWORK_NAMES) {
  test(`TXN-19 a hash on ${network} has its form and no other`, () => {
    const { isValid } = HASH_FORMS[network]
    const own: string = FORMS[network]
    assert.ok(isValid(own))
    const others = [`0x${HEX}`, HEX, SOLANA].filter((hash) => hash !== own)
    const wrong = [own.slice(0, -1), `${own}0`, ` ${own}`, own.replace(/.$/, 'g'), '', '0x']
    for (const hash of [...others, ...wrong.filter((hash) => hash !== own)]) {
      if (network === 'SOLANA' && hash === own.replace(/.$/, 'g')) continue
      assert.ok(!isValid(hash), hash)
    }
  })
}

test('TXN-19 on Solana a hash is 64 bytes, neither a key of 32 nor 65', () => {
  const { isValid } = HASH_FORMS.SOLANA
  for (const length of [32, 63, 65]) {
    assert.ok(!isValid(base58.encode(new Uint8Array(length).fill(9))), String(length))
  }
  assert.ok(isValid(base58.encode(new Uint8Array(64))), 'all zero')
})
