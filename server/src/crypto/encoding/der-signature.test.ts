import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { test } from 'node:test'
import { TEK } from '../../../test/kit/wallets/vectors.ts'
import { isDerSignature } from './der-signature.ts'
import { signingKey } from '../wallet/keys/key-pair.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

test('SIGN-3 whatever a signer makes is of the form, short integers included', () => {
  const key = signingKey(TEK)
  const lengths = new Set<number>()
  for (let round = 0; round < 1_000; round += 1) {
    const signature = sign('sha256', Buffer.from(String(round)), key)
    lengths.add(signature.length)
    assert.equal(isDerSignature(signature), true, signature.toString('hex'))
  }
  assert.ok(lengths.size >= 3, 'signatures of several lengths were seen')
})

test('SIGN-3 only the shortest spelling of two positive integers is DER', () => {
  const r32 = `0221 00${'ff'.repeat(32)}`
  const cases = [
    ['3006 020101 020101', true, 'small integers'],
    [`3046 ${r32} ${r32}`, true, 'the largest integers'],
    ['3006 020100 020100', true, 'zeros are integers; they never verify'],
    ['', false, 'empty'],
    ['30', false, 'a tag alone'],
    ['3006 020101', false, 'cut off'],
    ['3003 020101', false, 'one integer'],
    ['3009 020101 020101 020101', false, 'three integers'],
    ['3106 020101 020101', false, 'another tag'],
    ['3007 020101 020101', false, 'a length beyond the end'],
    ['3005 020101 020101', false, 'a byte behind the end'],
    ['308106 020101 020101', false, 'the long form of a length'],
    ['3007 02020001 020101', false, 'a needless zero in r'],
    ['3007 020101 02020001', false, 'a needless zero in s'],
    ['3006 020181 020101', false, 'a negative integer'],
    ['3006 030101 020101', false, 'another inner tag'],
    ['3005 0200 020101', false, 'an integer without bytes'],
    ['3006 020201 020101', false, 'an inner length that swallows the next tag'],
    [`3026 0221 01${'ff'.repeat(32)} 020101`, false, '33 bytes of number'],
    [`3027 0222 00ff${'ff'.repeat(32)} 020101`, false, '34 bytes'],
  ] as const
  for (const [text, expected, why] of cases) {
    assert.equal(isDerSignature(hex(text)), expected, why)
  }
})
