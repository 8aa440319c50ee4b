import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectFields, expectStatus } from '../../../test/kit/api.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { isCountryCode } from '../../kernel/text/country-codes.ts'
import { INSTITUTIONS } from './institutions.ts'
import { bankNamesFor, listInstitutions } from './list-institutions.ts'
import { VASPS } from './vasps.ts'

const kit = await startKit()
const { api } = await kit.platform()

const SERVED = `
  BD BDT · CN CNY · CO COP · EG EGP · GH GHS · GT GTQ · HK HKD · ID IDR · IN INR · JM JMD
  MY MYR · NG NGN · PH PHP · PK PKR · SG SGD · SV USD · TH THB · VN VND · ZA ZAR
`.match(/[A-Z]{2} [A-Z]{3}/g) as string[]

test('DISC-1 the directory is sorted by country, currency and displayName in code-point order', () => {
  const keys = listInstitutions().map((i) => `${i.country} ${i.currency} ${i.displayName}`)
  assert.deepEqual(keys, keys.toSorted())
  assert.equal(keys.length, INSTITUTIONS.length)
})

test('DISC-1 filters combine and an unserved pair gives nothing', () => {
  assert.ok(listInstitutions({ country: 'PH' }).every(({ country }) => country === 'PH'))
  assert.deepEqual(listInstitutions({ country: 'CH', currency: 'PHP' }), [])
  assert.deepEqual(listInstitutions({ country: 'PH', currency: 'USD' }), [])
  assert.deepEqual(
    listInstitutions({ currency: 'USD' }).map(({ country }) => country),
    listInstitutions({ country: 'SV' }).map(() => 'SV'),
  )
})

test('DISC-2 every served country has three institutions or more, each once', () => {
  assert.equal(SERVED.length, 19)
  for (const place of SERVED) {
    const [country = '', currency = ''] = place.split(' ')
    const names = bankNamesFor({ country, currency })
    assert.ok(names.length >= 3, `${place} has ${names.length}`)
    assert.equal(new Set(names).size, names.length, place)
  }
  for (const { country, currency } of INSTITUTIONS) {
    assert.ok(isCountryCode(country) && findCurrency(currency), `${country} ${currency}`)
  }
})

test('DISC-2 the institutions that guides name are there', () => {
  const named = {
    'PH PHP': ['BDO Unibank', 'BPI'],
    'CN CNY': ['AliPay', 'WechatPay'],
    'CO COP': ['Bancolombia', 'Nequi'],
    'NG NGN': ['First Bank of Nigeria'],
    'ZA ZAR': ['Standard Bank'],
  }
  for (const [place, names] of Object.entries(named)) {
    const [country = '', currency = ''] = place.split(' ')
    for (const name of names) assert.ok(bankNamesFor({ country, currency }).includes(name), name)
  }
})

test('DISC-4 there are twenty service providers or more, each once, in code-point order, with an address', () => {
  const names = VASPS.map(({ vaspName }) => vaspName)
  assert.ok(names.length >= 20)
  assert.deepEqual(names, [...new Set(names)].toSorted())
  for (const { url } of VASPS) assert.equal(new URL(url as string).protocol, 'https:')
})

const discover = async (query: Record<string, string> = {}) => {
  const body = expectStatus(await api.get('/discoveries', { query }), 200)
  assert.deepEqual(Object.keys(body), ['data'])
  return body.data
}

test('DISC-1 GET /discoveries answers the directory in full, and filters it', async () => {
  assert.deepEqual(await discover(), listInstitutions())
  const filipino = await discover({ country: 'PH', currency: 'PHP' })
  assert.ok(filipino.some(({ bankName }) => bankName === 'BDO Unibank'))
  assert.ok(filipino.every(({ country }) => country === 'PH'))
  assert.deepEqual(await discover({ country: 'PH' }), filipino)
  assert.deepEqual(await discover({ currency: 'PHP' }), filipino)
  assert.deepEqual(await discover({ country: 'CH', currency: 'PHP' }), [])
  assert.deepEqual(await discover({ currency: 'QQQ' }), [])
})

test('DISC-1 a country that is no ISO code and a currency that is no code are refused', async () => {
  for (const country of ['ph', 'PHL', 'XX', 'P', '']) {
    expectFields(await api.get('/discoveries', { query: { country } }), ['country'])
  }
  for (const currency of ['php', 'PH', 'USDC', '']) {
    expectFields(await api.get('/discoveries', { query: { currency } }), ['currency'])
  }
  const both = { country: 'ph', currency: 'php' }
  expectFields(await api.get('/discoveries', { query: both }), ['country', 'currency'])
})

test('DISC-4 GET /vasps pages through all of them by name', async () => {
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = expectStatus(await api.get('/vasps', { query: { limit: 5, cursor } }), 200)
    names.push(...page.data.map(({ vaspName }) => vaspName))
    cursor = page.nextCursor && page.nextCursor
    assert.equal(page.hasMore, cursor !== undefined)
  } while (cursor)
  assert.deepEqual(
    names,
    VASPS.map(({ vaspName }) => vaspName),
  )
  const whole = expectStatus(await api.get('/vasps', { query: { limit: 100 } }), 200)
  assert.deepEqual(whole.data, VASPS)
})
