import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUmaAddress, mustParseUmaAddress, parseUmaAddress } from './address.ts'

const long = 'a'.repeat(63)
const ADDRESSES: readonly (readonly [
  text: string,
  formatted: string | undefined,
  because: string,
])[] = [
  ['$bob@example.com', '$bob@example.com', 'the plain form'],
  ['$Bob@Example.COM', '$bob@example.com', 'compared in lower case'],
  ['$success.usd@sandbox.uma.test', '$success.usd@sandbox.uma.test', 'dots in the local part'],
  ['$a_b+c-1@x-y.example.com', '$a_b+c-1@x-y.example.com', 'every sign that is allowed'],
  [`$${long}@example.com`, `$${long}@example.com`, '63 characters'],
  [`$${long}a@example.com`, undefined, '64 characters'],
  ['bob', undefined, 'neither sign'],
  ['bob@example.com', undefined, 'no dollar'],
  ['$@example.com', undefined, 'no local part'],
  ['$bob@', undefined, 'no domain'],
  ['$bob', undefined, 'no at'],
  ['$bob@exa mple.com', undefined, 'a blank'],
  ['$bob@-example.com', undefined, 'no host name begins with a hyphen'],
  ['$bob@example.com@example.com', undefined, 'two ats'],
  ['$bób@example.com', undefined, 'letters beyond ASCII'],
  ['$$bob@example.com', undefined, 'two dollars'],
  [' $bob@example.com', undefined, 'outer blanks are not taken off'],
]

for (const [text, formatted, because] of ADDRESSES) {
  test(`UMA-1 ${text} is ${formatted ? 'an address' : 'none'}: ${because}`, () => {
    const address = parseUmaAddress(text)
    assert.equal(address && formatUmaAddress(address), formatted)
  })
}

test('UMA-1 a text that is no address fails with INVALID_UMA_ADDRESS', () => {
  assert.throws(() => mustParseUmaAddress('bob'), { code: 'INVALID_UMA_ADDRESS' })
  assert.deepEqual(mustParseUmaAddress('$bob@example.com'), { local: 'bob', domain: 'example.com' })
})
