import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newUmaAddress, readUmaAddress } from './address.ts'

const DOMAIN = 'acme.uma.example'

type Case = readonly [given: string, kept: string | undefined, because: string]

const CASES: readonly Case[] = [
  ['$ana@acme.uma.example', '$ana@acme.uma.example', 'plain'],
  ['$Ana@ACME.uma.example', '$ana@acme.uma.example', 'kept in lower case'],
  ['$a@acme.uma.example', '$a@acme.uma.example', 'one character'],
  [`$${'a'.repeat(63)}@${DOMAIN}`, `$${'a'.repeat(63)}@${DOMAIN}`, '63 characters'],
  [`$${'a'.repeat(64)}@${DOMAIN}`, undefined, '64 are too many'],
  ['$a-b_c.d+1@acme.uma.example', '$a-b_c.d+1@acme.uma.example', 'every punctuation allowed'],
  ['ana@acme.uma.example', undefined, 'without the dollar sign'],
  ['$@acme.uma.example', undefined, 'nobody'],
  ['$ana', undefined, 'nowhere'],
  ['$ana@other.example', undefined, 'of another domain'],
  ['$ana@x.acme.uma.example', undefined, 'of a subdomain'],
  ['$ana@acme.uma.example@acme.uma.example', undefined, 'two domains'],
  ['$a na@acme.uma.example', undefined, 'a blank'],
  ['$ána@acme.uma.example', undefined, 'a letter that is not ASCII'],
  [' $ana@acme.uma.example', undefined, 'a blank before'],
  ['$\u212Aim@acme.uma.example', undefined, 'a Kelvin sign, which in lower case is a k'],
  [
    '$\u0130a@acme.uma.example',
    undefined,
    'a dotted capital I, which in lower case is two characters',
  ],
  [`$${'a'.repeat(1000)}@${DOMAIN}`, undefined, 'beyond all measure'],
]

describe('CUST-19 UMA addresses', () => {
  for (const [given, kept, because] of CASES) {
    test(`${given}: ${because}`, () => assert.equal(readUmaAddress(given, DOMAIN), kept))
  }
})

test('CUST-21 a generated address has 32 hex digits and is always another', () => {
  const made = Array.from({ length: 100 }, () => newUmaAddress(DOMAIN))
  for (const address of made) assert.match(address, /^\$[0-9a-f]{32}@acme\.uma\.example$/)
  assert.equal(new Set(made).size, made.length)
})
