import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CURRENCIES, currencyOf, findCurrency, isCrypto, isCurrencyCode } from './currency.ts'
import { InvariantError } from '../invariant.ts'

/** Chapter 00, section 1, and the account types of chapter 30, by number of decimals. */
const EXPECTED = {
  0: 'JPY KRW VND XOF XAF UGX RWF',
  2: `USD EUR GBP MXN BRL INR PHP NGN KES ZAR CAD AUD SGD HKD AED COP CNY IDR THB PKR BDT EGP GHS TZS
    ZMW MWK BWP HTG JMD GTQ ARS DKK SEK NOK CHF PLN CZK HUF RON ILS TRY MYR LKR NPR`,
  6: 'USDC USDT USDB',
  8: 'BTC',
} as const

describe('the currency catalogue', () => {
  for (const [decimals, codes] of Object.entries(EXPECTED)) {
    test(`CORE-6 the currencies with ${decimals} decimals`, () => {
      const actual = CURRENCIES.filter((currency) => currency.decimals === Number(decimals))
      const sorted = actual.map((currency) => currency.code).toSorted()
      assert.deepEqual(sorted, codes.split(/\s+/).toSorted())
    })
  }

  test('CORE-6 the fiat currencies have the decimals of ISO 4217, as the runtime knows them', () => {
    // The runtime follows common usage, not ISO 4217, for these: they have cents that nobody uses.
    const unusedCents = ['COP', 'HUF', 'IDR', 'PKR', 'TZS', 'LKR']
    const fiat = CURRENCIES.filter(
      ({ kind, code }) => kind === 'fiat' && !unusedCents.includes(code),
    )
    for (const { code, decimals } of fiat) {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency: code })
      assert.equal(decimals, format.resolvedOptions().maximumFractionDigits, code)
    }
  })

  test('CORE-6 codes are unique, names unique and set, symbols set', () => {
    assert.equal(new Set(CURRENCIES.map(({ code }) => code)).size, CURRENCIES.length)
    assert.equal(new Set(CURRENCIES.map(({ name }) => name)).size, CURRENCIES.length)
    for (const { code, name, symbol } of CURRENCIES) {
      assert.match(code, /^[A-Z]{3,5}$/)
      assert.ok(name.trim().length > 0 && symbol.trim().length > 0, code)
    }
  })

  test('CORE-6 crypto is what is not legal tender', () => {
    const crypto = CURRENCIES.filter(({ code }) => isCrypto(code)).map(({ code }) => code)
    assert.deepEqual(crypto, ['USDC', 'USDT', 'USDB', 'BTC'])
  })

  for (const code of ['', 'usd', 'US', 'XXX', 'USD ', '__proto__', 'constructor']) {
    test(`CFG-7 ${JSON.stringify(code)} is no code of the catalogue`, () => {
      assert.equal(findCurrency(code), undefined)
      assert.equal(isCurrencyCode(code), false)
      assert.throws(() => currencyOf(code), InvariantError)
    })
  }
})
