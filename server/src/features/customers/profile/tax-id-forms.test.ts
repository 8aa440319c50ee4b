import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { taxIdForm } from './tax-id-forms.ts'

type Case = readonly [country: string, taxId: string, isRight: boolean, because: string]

const CASES: readonly Case[] = [
  ['US', '12-3456789', true, 'an EIN'],
  ['US', '123456789', true, 'an EIN without hyphen'],
  ['US', '111-22-3333', true, 'an SSN of a sole proprietor'],
  ['US', '12-345678', false, 'a digit short'],
  ['US', '11-22-3333', false, 'neither of the two'],
  ['GB', '123456789', true, 'a VAT number'],
  ['GB', 'GB123456789012', true, 'with prefix and branch'],
  ['GB', '1234567890', true, 'a UTR'],
  ['GB', 'GB1234567890', false, 'a UTR has no prefix'],
  ['DE', 'DE123456789', true, 'a VAT number'],
  ['DE', '12/345/67890', true, 'a tax number'],
  ['DE', '12345678901', true, 'digits alone'],
  ['DE', 'DE12345678', false, 'a digit short'],
  ['FR', 'FR12123456789', true, 'a VAT number'],
  ['FR', '12345678901234', true, 'a SIRET'],
  ['FR', '1234567890', false, 'ten digits are nothing'],
  ['MX', 'ÑAB010101AB1', true, 'an RFC with its letter'],
  ['MX', 'abc010101ab1', false, 'lower case'],
  ['BR', '11.222.333/0001-81', true, 'a CNPJ'],
  ['BR', '11222333000181', true, 'a CNPJ without punctuation'],
  ['BR', '11.222.333/0001', false, 'without its check digits'],
  ['IN', 'ABCDE1234F', true, 'a PAN'],
  ['IN', '27ABCDE1234F1Z5', true, 'a GSTIN'],
  ['IN', '27ABCDE1234F1X5', false, 'a GSTIN has a Z there'],
  ['CA', '123456789', true, 'a business number'],
  ['CA', '123456789RT0001', true, 'with its program'],
  ['CA', '123456789rt0001', false, 'lower case'],
  ['JP', '1234', true, 'elsewhere: four characters'],
  ['JP', 'A1. 2/3-4', true, 'elsewhere: some punctuation'],
  ['JP', '123', false, 'elsewhere: too short'],
  ['JP', '-123', false, 'elsewhere: begins with a letter or digit'],
  ['JP', 'x'.repeat(31), false, 'elsewhere: too long'],
  ['JP', '12_34', false, 'elsewhere: a character that does not belong'],
]

describe('CUST-15 tax ids by country', () => {
  for (const [country, taxId, isRight, because] of CASES) {
    test(`${country} ${taxId} is ${isRight ? 'right' : 'wrong'}: ${because}`, () => {
      assert.equal(new RegExp(taxIdForm(country)).test(taxId), isRight)
    })
  }
})
