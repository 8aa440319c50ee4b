import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CustomerUpdateSchema, valueAt } from '../../features/customers/index.ts'
import { DOCUMENT_TYPES } from '../../features/documents/index.ts'
import { ERROR_TYPES } from '../../features/verifications/index.ts'
import { furtherField } from '../verification/details/further-fields.ts'
import { valueText } from '../verification/details/field-words.ts'
import { createLocale } from './locale.ts'
import { translated } from './api-words.ts'
import { CATALOGUES } from './catalogue.ts'
import type { TextKey } from './text-keys.ts'
import { LANGUAGES, type Language } from './languages.ts'

const KEYS = Object.keys(CATALOGUES.en) as TextKey[]
const OTHERS = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== 'en')

/** Words that are the same in the two languages. */
const SAME: Readonly<Partial<Record<Language, readonly TextKey[]>>> = { fr: ['step.documents'] }
const SAME_EVERYWHERE: readonly TextKey[] = ['sandbox']

const namesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()

for (const language of OTHERS) {
  test(`OPER-192 every text is translated into ${LANGUAGES[language]}, with the same values`, () => {
    const texts = CATALOGUES[language]
    assert.deepEqual(Object.keys(texts), KEYS, 'in the order of the English ones')
    for (const key of KEYS) {
      assert.deepEqual(namesIn(texts[key]), namesIn(CATALOGUES.en[key]), key)
      assert.equal(texts[key].trim(), texts[key], key)
      assert.notEqual(texts[key], '', key)
    }
    const same = KEYS.filter((key) => texts[key] === CATALOGUES.en[key])
    assert.deepEqual(
      same,
      KEYS.filter((key) => [...SAME_EVERYWHERE, ...(SAME[language] ?? [])].includes(key)),
    )
  })
}

test('OPER-192 every type of document has a name', () => {
  for (const type of DOCUMENT_TYPES) assert.ok(`document.${type}` in CATALOGUES.en, type)
})

const german = createLocale('de')

test('OPER-192 every reason of the service is translated, and the words of a reviewer are kept', () => {
  for (const { reason } of Object.values(ERROR_TYPES)) {
    assert.notEqual(translated(german, reason), reason)
  }
  assert.equal(translated(german, 'There is glare on it.'), 'There is glare on it.')
})

const NOT_ASKED = ['customerType', 'kycStatus', 'kybStatus', 'endUserTermsConsent', 'identifier']

test('OPER-192 every field that a reviewer may ask for has a name, and so have its values', () => {
  const variants = valueAt(CustomerUpdateSchema, 'oneOf') as readonly object[]
  const asked = variants.flatMap((variant, index) => {
    const type = index === 0 ? 'INDIVIDUAL' : 'BUSINESS'
    const own = Object.keys(valueAt(variant, 'properties') as object)
    const business = Object.keys(Object(valueAt(variant, 'properties.businessInfo.properties')))
    const paths = [...own, ...business.map((name) => `businessInfo.${name}`)]
    return paths.map((path) => [path, furtherField(type, path)] as const)
  })
  const fields = asked.filter(([path]) => !NOT_ASKED.includes(path))
  assert.ok(fields.length > 30)
  const nameless = fields.filter(([, field]) => field === undefined).map(([path]) => path)
  const elsewhere = ['currencies', 'email', 'phoneNumber', 'umaAddress', 'address', 'businessInfo']
  assert.deepEqual([...new Set(nameless)].toSorted(), elsewhere.toSorted())
  for (const [, field] of fields) {
    for (const value of field?.options ?? []) {
      assert.notEqual(valueText(german, {}, value), value, value)
    }
  }
  assert.equal(valueText(german, {}, 'VOLUME_10K_TO_100K'), '10.000 bis 100.000')
  assert.equal(valueText(german, {}, 'OVER_25M'), 'Über 25.000.000')
  assert.equal(valueText(german, {}, 'COUNT_UNDER_10'), 'Unter 10')
})
