/** Plausible texts for fields, by name, format and pattern: an example should read like real use. */
import { samplePattern } from './pattern-sample.js'

const UUID = '0199c3a4-7b1e-7c55-9d3f-5a2b8c4d6e7f'

/** @type {[RegExp, string][]} */
const BY_NAME = [
  [/email/i, 'ada@example.com'],
  [/phone/i, '+14155550132'],
  [/^umaAddress$|^uma$/i, '$ada@example.com'],
  [/(url|uri|endpoint|origin)$/i, 'https://example.com/florin'],
  [/country|nationality/i, 'US'],
  [/currency(Code)?$/i, 'USD'],
  [/postalCode|zip/i, '94103'],
  [/^(line1|street|addressLine1)$/i, '548 Market Street'],
  [/^line2$/i, 'Suite 400'],
  [/^city$/i, 'San Francisco'],
  [/^state$/i, 'CA'],
  [/birth/i, '1990-12-10'],
  [/^(fullName|accountHolderName|beneficiaryName|cardholderName|nameOnAccount)$/, 'Ada Lovelace'],
  [/^(firstName|givenName)$/, 'Ada'],
  [/^(lastName|familyName|surname)$/, 'Lovelace'],
  [/legalName|businessName|companyName/, 'Analytical Engines Ltd'],
  [/bankName/, 'First Example Bank'],
  [/iban/i, 'DE89370400440532013000'],
  [/swift|bic/i, 'DEUTDEFF'],
  [/routingNumber/, '021000021'],
  [/clabe/i, '032180000118359719'],
  [/accountNumber/, '000123456789'],
  [/^platformCustomerId$/, 'user_1842'],
  [/ipAddress/i, '203.0.113.7'],
  [/(otp|code)$/i, '123456'],
  [/description|memo|reference|remittance|purpose/i, 'Invoice 2041'],
  [/^(name|label|nickname|title)$/i, 'Everyday'],
  [/message/i, 'A sentence a developer can act on.'],
]

/** @type {Record<string, string>} */
const BY_FORMAT = {
  'date-time': '2026-03-02T09:30:00.000Z',
  date: '2026-03-02',
  time: '09:30:00Z',
  email: 'ada@example.com',
  uuid: UUID,
  uri: 'https://example.com/florin',
  url: 'https://example.com/florin',
  tel: '+14155550132',
  'e.164': '+14155550132',
  'iso3166-1-alpha-2': 'US',
  iso4217: 'USD',
  'bcp47-language-tag': 'en-US',
  iban: 'DE89370400440532013000',
  bic: 'DEUTDEFF',
  'aba-routing-number': '021000021',
  clabe: '032180000118359719',
  'uma-address': '$ada@example.com',
  'us-ssn': '123-45-6789',
  'us-ein': '12-3456789',
  byte: 'RmxvcmluIQ==',
  ipv4: '203.0.113.7',
}

/**
 * @param {string} name of the field
 * @param {Record<string, any>} notes of its shape
 * @returns {string}
 */
export function exampleText(name, notes) {
  const fitting = candidates(name, notes).find((text) => fits(text, notes))
  if (fitting !== undefined) return fitting
  const { pattern, minLength = 0, maxLength = Infinity } = notes
  const sample = pattern && samplePattern(pattern, { minLength })
  if (sample) return sample
  return 'text'.padEnd(minLength, 'x').slice(0, maxLength)
}

/**
 * @param {string} name
 * @param {Record<string, any>} notes
 */
function candidates(name, notes) {
  const texts = []
  const format = BY_FORMAT[notes.format]
  if (format) texts.push(format)
  const prefix = /^\^\(?([A-Z][A-Za-z]+):/.exec(notes.pattern ?? '')?.[1]
  if (prefix) texts.push(`${prefix}:${UUID}`)
  texts.push(...BY_NAME.filter(([matcher]) => matcher.test(name)).map(([, text]) => text))
  const owner = /^([a-z][A-Za-z]*)Id$/.exec(name)?.[1]
  if (owner) texts.push(`${owner.charAt(0).toUpperCase()}${owner.slice(1)}:${UUID}`)
  if (name === 'id') texts.push(UUID)
  return texts
}

/**
 * @param {string} text
 * @param {Record<string, any>} notes
 */
function fits(text, { pattern, minLength = 0, maxLength = Infinity }) {
  if (text.length < minLength || text.length > maxLength) return false
  try {
    return !pattern || new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}
