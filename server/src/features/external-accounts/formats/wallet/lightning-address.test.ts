import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLightningAddress } from './lightning-address.ts'

const CASES: readonly [string, boolean, string][] = [
  ['satoshi@bitcoin.org', true, 'as LUD-16 writes it'],
  ['satoshi+tips@bitcoin.org', true, 'with a tag'],
  ['$satoshi@bitcoin.org', false, 'a UMA address'],
  ['satoshi', false, 'no domain'],
  ['satoshi@bitcoin', false, 'a domain has a dot'],
  ['sat oshi@bitcoin.org', false, 'a blank'],
  [`satoshi@${'b'.repeat(250)}.org`, false, 'too long'],
]

for (const [text, expected, reason] of CASES) {
  test(`EACC-3 Lightning address: ${reason}`, () => {
    assert.equal(isLightningAddress(text), expected)
  })
}
