import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { isSolanaAddress, isSolanaAddressWithSuffix, solanaKey } from './solana-address.ts'

const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

const CASES: readonly [string, boolean, string][] = [
  [USDC_MINT, true, 'the USDC mint'],
  ['11111111111111111111111111111111', true, 'the system program, 32 zero bytes'],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', true, 'the token program'],
  [`0OIl${USDC_MINT.slice(4)}`, false, 'characters that base58 leaves out'],
  [base58.encode(new Uint8Array(31).fill(7)), false, '31 bytes'],
  [base58.encode(new Uint8Array(33).fill(7)), false, '33 bytes'],
  ['', false, 'nothing'],
]

for (const [address, expected, reason] of CASES) {
  test(`EACC-3 Solana address: ${reason}`, () => {
    assert.equal(isSolanaAddress(address), expected)
  })
}

test('OWN-6 an address is its own key', () => {
  assert.equal(base58.encode(solanaKey(USDC_MINT) as Uint8Array), USDC_MINT)
})

test('EACC-3 a sandbox suffix is free of the alphabet, the rest is not', () => {
  assert.ok(isSolanaAddressWithSuffix(`${USDC_MINT.slice(0, -3)}002`))
  assert.ok(!isSolanaAddressWithSuffix(`0${USDC_MINT.slice(1, -3)}002`))
  assert.ok(!isSolanaAddressWithSuffix('7002'))
})
