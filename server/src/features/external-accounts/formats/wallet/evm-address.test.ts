import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasEvmForm, hasTrueEvmCase, toChecksumAddress } from './evm-address.ts'

/** The examples of EIP-55. */
const EXAMPLES = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

for (const address of EXAMPLES) {
  test(`EACC-5 ${address} of EIP-55 is spelled by its hash`, () => {
    assert.ok(hasEvmForm(address))
    assert.ok(hasTrueEvmCase(address))
    assert.equal(toChecksumAddress(address.toLowerCase()), address)
  })
}

const [, , , , mixed = ''] = EXAMPLES

test('EACC-5 one case alone claims no checksum, a wrong mixture claims a false one', () => {
  assert.ok(hasTrueEvmCase(mixed.toLowerCase()))
  assert.ok(hasTrueEvmCase(`0x${mixed.slice(2).toUpperCase()}`))
  assert.ok(!hasTrueEvmCase(mixed.replace('aA', 'Aa')))
})

const FORM: readonly [string, string][] = [
  [mixed.slice(0, -1), 'one character short'],
  [`${mixed}0`, 'one character long'],
  [mixed.slice(2), 'without 0x'],
  [mixed.replace('5', 'g'), 'not hex'],
  [`0x${'0'.repeat(40)}`, 'the zero address'],
]

for (const [address, reason] of FORM) {
  test(`EACC-3 no EVM address: ${reason}`, () => {
    assert.ok(!hasEvmForm(address))
  })
}
