import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasBolt12Form, isBolt12Offer } from './bolt12.ts'

/** The example of BOLT 12. */
const OFFER =
  'lno1pqps7sjqpgtyzm3qv4uxzmtsd3jjqer9wd3hy6tsw35k7msjzfpy7nz5yqcnygrfdej82um5wf5k2uckyypwa3eyt44h6txtxquqh7lz5djge4afgfjn7k4rgrkuag0jsd5xvxg'

const CASES: readonly [string, boolean, boolean, string][] = [
  [OFFER, true, true, 'the example of the standard'],
  [`${OFFER}102`, true, false, 'a 1 is not in the alphabet'],
  ['lno1', false, false, 'nothing after the prefix'],
  ['lnr1qqp4256ypq', false, false, 'a request, not an offer'],
  [OFFER.toUpperCase(), false, false, 'capitals are lowered before'],
  [OFFER.replace('p', 'P'), true, false, 'mixed case'],
]

for (const [text, form, strict, reason] of CASES) {
  test(`EACC-3 BOLT 12 offer: ${reason}`, () => {
    assert.equal(hasBolt12Form(text), form)
    assert.equal(isBolt12Offer(text), strict)
  })
}
