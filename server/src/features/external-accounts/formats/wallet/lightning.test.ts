import assert from 'node:assert/strict'
import { bech32 } from '@scure/base'
import { test } from 'node:test'
import {
  decodeBolt11,
  decodeBolt11WithSuffix,
  invoiceAmountSatoshi,
  isPayableInvoice,
  hasBolt12Form,
  isBolt12Offer,
  isLightningAddress,
} from './lightning.ts'

/** Examples of BOLT 11: a cup of coffee for 2500 µBTC within a minute, and 20 mBTC within the default hour. */
const COFFEE =
  'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'
const ROUTED =
  'lnbc20m1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqsfpp3qjmp7lwpagxun9pygexvgpjdc4jdj85fr9yq20q82gphp2nflc7jtzrcazrra7wwgzxqc8u7754cdlpfrmccae92qgzqvzq2ps8pqqqqqqpqqqqq9qqqvpeuqafqxu92d8lr6fvg0r5gv0heeeqgcrqlnm6jhphu9y00rrhy4grqszsvpcgpy9qqqqqqgqqqqq7qqzqj9n4evl6mr5aj9f58zp6fyjzup6ywn3x6sk8akg5v4tgn2q8g4fhx05wf6juaxu9760yp46454gpg5mtzgerlzezqcqvjnhjh8z3g2qqdhhwkj'
/** Both were made at this second. */
const MADE_AT_MS = 1_496_314_658_000

test('EACC-18 an invoice tells amount, network and expiry', () => {
  assert.deepEqual(decodeBolt11(COFFEE), {
    isMainnet: true,
    amountMillisatoshi: 250_000_000n,
    expiresAt: new Date(MADE_AT_MS + 60_000),
  })
  assert.deepEqual(decodeBolt11(ROUTED), {
    isMainnet: true,
    amountMillisatoshi: 2_000_000_000n,
    expiresAt: new Date(MADE_AT_MS + 3_600_000),
  })
})

const BROKEN: readonly [string, string][] = [
  [`${COFFEE.slice(0, -1)}q`, 'checksum broken'],
  [COFFEE.replace('lnbc', 'lnbd'), 'no such network'],
  [COFFEE.replace('1pvj', 'pvj'), 'no separator'],
  [COFFEE.replace('zpp5', 'Zpp5'), 'mixed case'],
  ['lnbc1qqqqqq', 'nothing inside'],
  ['lno1pqps7sjqpgtyzm3q', 'an offer'],
  ['', 'nothing'],
]

for (const [invoice, reason] of BROKEN) {
  test(`EACC-3 no invoice: ${reason}`, () => {
    assert.equal(decodeBolt11(invoice), undefined)
  })
}

test('EACC-5 strictly an invoice is of the main network and still alive', () => {
  assert.ok(isPayableInvoice(COFFEE, new Date(MADE_AT_MS + 59_999)))
  assert.ok(!isPayableInvoice(COFFEE, new Date(MADE_AT_MS + 60_000)))
  assert.ok(!isPayableInvoice('lntb1', new Date(MADE_AT_MS)))
})

test('EACC-3 an invoice that ends in a sandbox suffix is read without its checksum', () => {
  for (const suffix of ['002', '007', '105']) {
    const magic = `${COFFEE.slice(0, -3)}${suffix}`
    assert.equal(decodeBolt11(magic), undefined)
    assert.deepEqual(decodeBolt11WithSuffix(magic), decodeBolt11(COFFEE))
  }
  assert.equal(decodeBolt11WithSuffix('lnbc002'), undefined)
  assert.equal(
    decodeBolt11WithSuffix(COFFEE.replace('yyp', 'ybp').replace('zqf', 'bqf')),
    undefined,
  )
})

/** The same invoice for another amount, its signature no longer the payee's. */
function priced(amount: string): string {
  const { words } = bech32.decode(COFFEE as `${string}1${string}`, false)
  return bech32.encode(`lnbc${amount}`, words, false)
}

test('EACC-18 the amount to lock is the invoice’s in satoshi, rounded up', () => {
  assert.equal(invoiceAmountSatoshi(COFFEE), 250_000n)
  assert.equal(invoiceAmountSatoshi(`${COFFEE.slice(0, -3)}002`), 250_000n)
  assert.equal(invoiceAmountSatoshi(priced('10n')), 1n)
  assert.equal(invoiceAmountSatoshi(priced('15n')), 2n)
  assert.equal(invoiceAmountSatoshi(priced('10p')), 1n)
  assert.equal(invoiceAmountSatoshi(priced('')), undefined)
})

/** The example of BOLT 12. */
const OFFER =
  'lno1pqps7sjqpgtyzm3qv4uxzmtsd3jjqer9wd3hy6tsw35k7msjzfpy7nz5yqcnygrfdej82um5wf5k2uckyypwa3eyt44h6txtxquqh7lz5djge4afgfjn7k4rgrkuag0jsd5xvxg'

const OFFERS: readonly [string, boolean, boolean, string][] = [
  [OFFER, true, true, 'the example of the standard'],
  [`${OFFER}102`, true, false, 'a 1 is not in the alphabet'],
  ['lno1', false, false, 'nothing after the prefix'],
  ['lnr1qqp4256ypq', false, false, 'a request, not an offer'],
  [OFFER.toUpperCase(), false, false, 'capitals are lowered before'],
  [OFFER.replace('p', 'P'), true, false, 'mixed case'],
]

for (const [text, form, strict, reason] of OFFERS) {
  test(`EACC-3 BOLT 12 offer: ${reason}`, () => {
    assert.equal(hasBolt12Form(text), form)
    assert.equal(isBolt12Offer(text), strict)
  })
}

const ADDRESSES: readonly [string, boolean, string][] = [
  ['satoshi@bitcoin.org', true, 'as LUD-16 writes it'],
  ['satoshi+tips@bitcoin.org', true, 'with a tag'],
  ['$satoshi@bitcoin.org', false, 'a UMA address'],
  ['satoshi', false, 'no domain'],
  ['satoshi@bitcoin', false, 'a domain has a dot'],
  ['sat oshi@bitcoin.org', false, 'a blank'],
  [`satoshi@${'b'.repeat(250)}.org`, false, 'too long'],
]

for (const [text, expected, reason] of ADDRESSES) {
  test(`EACC-3 Lightning address: ${reason}`, () => {
    assert.equal(isLightningAddress(text), expected)
  })
}
