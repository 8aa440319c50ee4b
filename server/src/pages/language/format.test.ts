import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountOf, countryName, currencyName, dateText, moneyText } from './format.ts'
import type { Language } from './languages.ts'

type Row = readonly [
  language: Language,
  typed: string,
  expected: bigint | undefined,
  because: string,
]

const TYPED: readonly Row[] = [
  ['en', '50000', 5_000_000n, 'whole units'],
  ['en', '50,000', 5_000_000n, 'thousands are parted by commas'],
  ['en', ' 1250.5 ', 125_050n, 'one digit is tenths'],
  ['en', '0.01', 1n, 'the smallest unit'],
  ['en', '0', 0n, 'a number, though none to pay'],
  ['en', '1.005', undefined, 'less than the smallest unit'],
  ['en', '1,00', undefined, 'a comma that parts no thousands'],
  ['en', '-5', undefined, 'less than nothing'],
  ['en', '1e3', undefined, 'no plain number'],
  ['en', '1.', undefined, 'a point before nothing'],
  ['en', '.5', undefined, 'a point after nothing'],
  ['en', '', undefined, 'nothing'],
  ['de', '50.000', 5_000_000n, 'thousands are parted by points'],
  ['de', '1.250,50', 125_050n, 'a comma before the cents'],
  ['de', '1250.50', undefined, 'a point that parts no thousands'],
  ['fr', '50 000', 5_000_000n, 'thousands are parted by a blank'],
  ['fr', '50\u202f000,5', 5_000_050n, 'or by a narrow one, as it is printed'],
  ['pl', '1250,50', 125_050n, 'without thousands parted'],
]

for (const [language, typed, expected, because] of TYPED) {
  test(`OPER-193 "${typed}" of COP in ${language} is ${expected}: ${because}`, () => {
    assert.equal(amountOf(language, typed, 'COP'), expected)
  })
}

test('OPER-193 an amount is shown with its thousands parted and its currency named', () => {
  assert.equal(moneyText('en', { amount: 123_456_789n, currency: 'COP' }), '1,234,567.89 COP')
  assert.equal(moneyText('en', { amount: 5n, currency: 'COP' }), '0.05 COP')
  assert.equal(moneyText('en', { amount: 1500n, currency: 'JPY' }), '1,500 JPY')
  assert.equal(moneyText('de', { amount: 123_456_789n, currency: 'COP' }), '1.234.567,89 COP')
  assert.equal(moneyText('fr', { amount: 150_000n, currency: 'COP' }), '1\u202f500,00 COP')
  const exact = { amount: 900_719_925_474_099_301n, currency: 'USD' }
  assert.equal(moneyText('en', exact), '9,007,199,254,740,993.01 USD')
})

test('OPER-193 countries, currencies and dates have the names of the language', () => {
  assert.equal(countryName('pl', 'DE'), 'Niemcy')
  assert.equal(currencyName('de', 'JPY'), 'Japanischer Yen')
  assert.equal(currencyName('de', 'USDB'), currencyName('en', 'USDB'), 'a coin has one name')
  const day = new Date('1990-02-03T00:00:00Z')
  assert.deepEqual(
    [dateText('en', day), dateText('de', day), dateText('es', day)],
    ['3 February 1990', '3. Februar 1990', '3 de febrero de 1990'],
  )
})
