import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COUNTRY_CODES } from './country-codes.ts'
import { FORMATS } from './formats.ts'

const UUID = '0199a1b2-c3d4-7e5f-8a6b-0123456789ab'

type Cases = Readonly<{ accepts: readonly string[]; refuses: readonly string[] }>

const CASES: Readonly<Record<string, Cases>> = {
  email: {
    accepts: [
      'a@b.co',
      'first.last+tag@mail.example.com',
      `${'a'.repeat(64)}@b.co`,
      'ü@exämple.de',
    ],
    refuses: [
      'a',
      'a@b',
      '@b.co',
      'a@',
      'a@@b.co',
      'a@b@c.co',
      'a b@c.co',
      `${'a'.repeat(65)}@b.co`,
      'a@b.',
      'a@.co',
      'a@b..co',
      'a@b.co\n',
      'a\u0001@b.co',
      'a@b.co\u007f',
    ],
  },
  tel: {
    accepts: ['+1 (555) 010-0100', '112', '030/901820', '+491701234567'],
    refuses: ['12', 'call me', '++1555', '+', '1'.repeat(16), '555-CALL'],
  },
  url: {
    accepts: [
      'https://example.com',
      'http://127.0.0.1:9000/hook?x=1',
      'https://example.com/a#b',
      'HTTPS://EXAMPLE.COM/',
      'http://[::1]:8080/',
    ],
    refuses: [
      'example.com',
      '/hook',
      'ftp://example.com',
      'javascript:alert(1)',
      'https://user:pw@example.com',
      'https://user@example.com',
      'https://',
      'https://a b.com',
      'https:\\\\example.com',
      'https:example.com',
      ` https://example.com`,
      `https://example.com/${'a'.repeat(2048)}`,
    ],
  },
  date: { accepts: ['1990-01-31', '2024-02-29'], refuses: ['1990-02-30', '31.01.1990', ''] },
  'date-time': {
    accepts: ['2025-10-13T00:00:00Z', '2025-10-13T00:00:00.123+02:00'],
    refuses: ['2025-10-13', '2025-10-13T00:00:00', 'yesterday'],
  },
  'iso3166-1-alpha-2': {
    accepts: ['US', 'DE', 'GB', 'AX', 'SS', 'ZW'],
    refuses: ['us', 'USA', 'UK', 'EU', 'XK', 'ZZ', 'AN', ''],
  },
  iso4217: {
    accepts: ['USD', 'JPY', 'USDC', 'BTC'],
    refuses: ['usd', 'XXX', 'US', 'DOGE', ''],
  },
  'bcp47-language-tag': {
    accepts: ['en', 'en-US', 'pt-BR', 'zh-Hant-TW', 'sr-Latn-RS', 'de-CH-1996'],
    refuses: [
      '',
      'e',
      'en_US',
      'english',
      'english-language',
      'en-US-',
      '12',
      'en-',
      '-en',
      'en US',
    ],
  },
  'us-ssn': {
    accepts: ['111-22-3333', '000-00-0000'],
    refuses: ['111223333', '111-22-333', '11-222-3333', '111-22-33334', '١١١-22-3333'],
  },
  'us-itin': {
    accepts: ['912-34-5678'],
    refuses: ['812-34-5678', '912345678', '912-34-567'],
  },
  'us-ein': {
    accepts: ['12-3456789', '123456789'],
    refuses: ['1-23456789', '12-345678', '12-34567890', '12 3456789'],
  },
  'e.164': {
    accepts: ['+15550100100', '+49', '+123456789012345'],
    refuses: ['15550100100', '+05550100', '+1', '+1 555', '+1234567890123456', '+1555a'],
  },
  uuid: {
    accepts: [UUID, '00000000-0000-0000-0000-000000000000'],
    refuses: [UUID.toUpperCase(), UUID.replaceAll('-', ''), `${UUID} `, ''],
  },
  'resource-id': {
    accepts: [`Customer:${UUID}`, `StablecoinProviderAccount:${UUID}`, `Webhook:${UUID}`],
    refuses: [
      UUID,
      `customer:${UUID}`,
      `Cat:${UUID}`,
      'Customer:1',
      `Customer:${UUID.toUpperCase()}`,
    ],
  },
  'uma-address': {
    accepts: ['$alice@example.com', '$a.b-c_d+e@pay.example.com', '$ALICE@Example.com', '$1@a.b'],
    refuses: [
      'alice@example.com',
      '$@example.com',
      '$alice',
      '$alice@localhost',
      '$al ice@example.com',
      `$${'a'.repeat(64)}@example.com`,
      '$alice@-example.com',
      '$alice@example..com',
      '$alice@bob@example.com',
      '$älice@example.com',
      `$alice@${'a.'.repeat(126)}com`,
    ],
  },
}

describe('named formats', () => {
  test('CORE-31 these are the formats that need no library', () => {
    assert.deepEqual(Object.keys(FORMATS), Object.keys(CASES))
  })

  for (const [name, { accepts, refuses }] of Object.entries(CASES)) {
    const format = FORMATS[name]!
    for (const text of accepts) {
      test(`CORE-31 ${name} accepts ${JSON.stringify(text.slice(0, 60))}`, () => {
        assert.equal(format(text), true)
      })
    }
    for (const text of refuses) {
      test(`CORE-31 ${name} refuses ${JSON.stringify(text.slice(0, 60))}`, () => {
        assert.equal(format(text), false)
      })
    }
  }

  test('ERR-5 hostile text is refused quickly by every format', () => {
    const hostile = [
      '\u0000',
      '\ud800',
      'a'.repeat(100_000),
      '@'.repeat(100_000),
      '.'.repeat(100_000),
    ]
    for (const [name, format] of Object.entries(FORMATS)) {
      for (const text of hostile) assert.equal(format(text), false, name)
    }
  })

  test('CORE-31 there are 249 country codes, each known to the runtime', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' })
    assert.equal(COUNTRY_CODES.size, 249)
    for (const code of COUNTRY_CODES) assert.notEqual(names.of(code), code)
  })
})
