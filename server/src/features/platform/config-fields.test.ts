import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { expectError, expectFields, expectStatus, type Api } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { startReceiver } from '../../../test/kit/outside/receiver.ts'

const kit = await startKit()
const receiver = await startReceiver()
after(() => receiver.stop())

/** A valid entry of `feeConfigs`, with overrides. */
const fee = (sourceCurrency: unknown, other: object = {}) => ({
  feeType: 'CROSS_CURRENCY_TRANSACTION',
  sourceCurrency,
  variableFeeBps: 30,
  fixedFee: { amount: 100, currency: sourceCurrency },
  ...other,
})

const read = async (api: Api) => expectStatus(await api.get('/config'), 200)
const change = async (api: Api, body: unknown) =>
  expectStatus(await api.patch('/config', body), 200)

describe('webhook endpoint', () => {
  test('CFG-13 an absolute http or https address without user info and fragment', async () => {
    const { api } = await kit.platform()
    const long = (length: number) => `https://example.com/${'x'.repeat(length - 20)}`
    const wrong = [
      'example.com/hook',
      '/hook',
      'ftp://example.com/hook',
      'https://user@example.com/hook',
      'https://user:secret@example.com/hook',
      'https://example.com/hook#part',
      'https://example.com/hook#',
      'https://',
      'https://exa mple.com/',
      '',
      long(2049),
    ]
    for (const webhookEndpoint of wrong) {
      const answer = await api.patch('/config', { webhookEndpoint })
      const [error] = expectFields(answer, ['webhookEndpoint'])
      assert.deepEqual(error?.['constraint'], { format: 'url' }, webhookEndpoint)
    }
    for (const webhookEndpoint of [
      'http://localhost:1/hook',
      'http://[::1]:1/hook',
      'https://hooks.example.com/a?b=c',
      long(2048),
    ]) {
      const config = await change(api, { webhookEndpoint })
      assert.equal(config.webhookEndpoint, webhookEndpoint)
    }
  })

  test('CFG-13 in production the endpoint is https on a public host', async () => {
    const { api } = await kit.platform({ environment: 'PRODUCTION' })
    const wrong = [
      'http://hooks.example.com/',
      'https://localhost/',
      'https://hooks.localhost/',
      'https://127.0.0.1/',
      'https://10.1.2.3/',
      'https://2130706433/',
      'https://169.254.169.254/latest',
      'https://[::1]/',
      'https://[fd00::1]/',
      'https://intranet/',
      'https://db.internal/',
    ]
    for (const webhookEndpoint of wrong) {
      const answer = await api.patch('/config', { webhookEndpoint })
      const [error] = expectFields(answer, ['webhookEndpoint'])
      assert.deepEqual(error?.['constraint'], { format: 'url' }, webhookEndpoint)
    }
    const webhookEndpoint = 'https://hooks.example.com/florin'
    assert.equal((await change(api, { webhookEndpoint })).webhookEndpoint, webhookEndpoint)
  })

  test('CFG-13 CORE-7 null clears the endpoint', async () => {
    const { api } = await kit.platform()
    await change(api, { webhookEndpoint: 'https://hooks.example.com/' })
    assert.ok(!Object.hasOwn(await change(api, { webhookEndpoint: null }), 'webhookEndpoint'))
    assert.ok(!Object.hasOwn(await read(api), 'webhookEndpoint'))
  })

  test('CFG-13 HOOK-40 a new value is sent one TEST event, the same value none', async () => {
    const { api } = await kit.platform()
    await change(api, { webhookEndpoint: receiver.url })
    await change(api, { webhookEndpoint: receiver.url, umaDomain: 'other.example.com' })
    await eventually(() => assert.equal(receiver.ofType('TEST').length, 1))
    await change(api, { webhookEndpoint: `${receiver.url}/other` })
    await eventually(() => assert.equal(receiver.ofType('TEST').length, 2))
    assert.deepEqual(
      receiver.deliveries.map(({ event }) => event.data),
      [{}, {}],
    )
  })
})

describe('UMA domain', () => {
  test('CFG-14 a DNS name of two labels or more, stored in lower case', async () => {
    const { api } = await kit.platform()
    const label = 'x'.repeat(63)
    const wrong = [
      '',
      'localhost',
      'a..b',
      '-a.example',
      'a-.example',
      'a b.example',
      'a_b.example',
    ]
    const tooLong = `${label}.${label}.${label}.${label}`
    for (const umaDomain of [...wrong, `${label}x.example`, tooLong, 'exämple.com', '.com', 5]) {
      expectFields(await api.patch('/config', { umaDomain }), ['umaDomain'])
    }
    const config = await change(api, { umaDomain: 'Pay.Example.COM' })
    assert.equal(config.umaDomain, 'pay.example.com')
    const longest = `${label}.${label}.${label}.${'x'.repeat(61)}`
    assert.equal((await change(api, { umaDomain: longest })).umaDomain, longest)
  })

  test('CFG-14 in production a domain belongs to one platform, in any case and under races', async () => {
    const platforms = await Promise.all(
      Array.from({ length: 6 }, () => kit.platform({ environment: 'PRODUCTION' })),
    )
    const answers = await Promise.all(
      platforms.map(({ api }, n) =>
        api.patch('/config', { umaDomain: n % 2 === 0 ? 'one.example.net' : 'ONE.example.net' }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    assert.equal(refused.length, platforms.length - 1)
    for (const answer of refused) expectFields(answer, ['umaDomain'])
  })

  test('CFG-4 CFG-14 a taken domain is named together with the other invalid fields', async () => {
    const [one, other] = await Promise.all([
      kit.platform({ environment: 'PRODUCTION' }),
      kit.platform({ environment: 'PRODUCTION' }),
    ])
    const { umaDomain } = await read(one.api)
    const body = { umaDomain, webhookEndpoint: 'nowhere' }
    expectFields(await other.api.patch('/config', body), ['umaDomain', 'webhookEndpoint'])
    const damaged = { umaDomain: 'a\u0000.example', webhookEndpoint: 'nowhere' }
    expectFields(await other.api.patch('/config', damaged), ['umaDomain', 'webhookEndpoint'])
  })

  test('CFG-14 in production the subdomain of another platform is refused', async () => {
    const [one, other] = await Promise.all([
      kit.platform({ environment: 'PRODUCTION' }),
      kit.platform({ environment: 'PRODUCTION' }),
    ])
    const { umaDomain } = await read(one.api)
    await change(one.api, { umaDomain: 'moved.example.net' })
    expectFields(await other.api.patch('/config', { umaDomain }), ['umaDomain'])
    assert.equal((await change(one.api, { umaDomain })).umaDomain, umaDomain)
  })

  test('CFG-14 sandbox platforms may share a domain', async () => {
    const [one, other] = await Promise.all([kit.platform(), kit.platform()])
    await change(one.api, { umaDomain: 'shared.example.net' })
    await change(other.api, { umaDomain: 'shared.example.net' })
  })
})

describe('embedded wallet and card tokenization', () => {
  test('CFG-15 the wallet configuration merges field by field, null clears a field or all', async () => {
    const { api } = await kit.platform()
    const wallet = async (embeddedWalletConfig: unknown): Promise<unknown> =>
      (await change(api, { embeddedWalletConfig })).embeddedWalletConfig
    assert.deepEqual(await wallet({ appName: 'Acme', otpLength: 4 }), {
      appName: 'Acme',
      otpLength: 4,
    })
    assert.deepEqual(await wallet({ otpLength: 12, unknown: 'not kept' }), {
      appName: 'Acme',
      otpLength: 12,
    })
    assert.deepEqual(await wallet({ appName: null, alphanumeric: true }), {
      otpLength: 12,
      alphanumeric: true,
    })
    const every = {
      appName: 'Acme',
      otpLength: 6,
      alphanumeric: false,
      expirationSeconds: 86_400,
      sendFromEmailAddress: 'codes@example.com',
      sendFromEmailSenderName: 'Acme codes',
      replyToEmailAddress: 'help@example.com',
      logoUrl: 'https://example.com/logo.png',
    }
    assert.deepEqual(await wallet(every), every)
    assert.equal(await wallet(null), undefined)
    assert.equal(await wallet({ appName: null }), undefined)
  })

  test('CFG-15 the fields of the wallet configuration have bounds', async () => {
    const { api } = await kit.platform()
    const wrong: [string, unknown][] = [
      ['otpLength', 3],
      ['otpLength', 13],
      ['otpLength', 4.5],
      ['expirationSeconds', 0],
      ['expirationSeconds', 86_401],
      ['alphanumeric', 'true'],
      ['sendFromEmailAddress', 'codes'],
      ['replyToEmailAddress', 'a@b'],
      ['appName', 'x'.repeat(256)],
      ['sendFromEmailSenderName', 'x'.repeat(256)],
      ['logoUrl', 'logo.png'],
      ['logoUrl', `https://example.com/${'x'.repeat(500)}`],
    ]
    for (const [name, value] of wrong) {
      const answer = await api.patch('/config', { embeddedWalletConfig: { [name]: value } })
      expectFields(answer, [`embeddedWalletConfig.${name}`])
    }
    expectFields(await api.patch('/config', { embeddedWalletConfig: [] }), ['embeddedWalletConfig'])
  })

  test('CFG-16 the card tokenization configuration merges field by field, also within email and sms', async () => {
    const { api } = await kit.platform()
    const cards = async (cardTokenization2faConfig: unknown): Promise<unknown> =>
      (await change(api, { cardTokenization2faConfig })).cardTokenization2faConfig
    await cards({ displayName: 'Acme', email: { fromName: 'Acme', subject: 'Code' } })
    assert.deepEqual(
      await cards({ email: { subject: 'Your code' }, sms: { bodyText: '{code}' } }),
      {
        displayName: 'Acme',
        email: { fromName: 'Acme', subject: 'Your code' },
        sms: { bodyText: '{code}' },
      },
    )
    assert.deepEqual(await cards({ displayName: null, email: { fromName: null }, sms: null }), {
      email: { subject: 'Your code' },
    })
    assert.equal(await cards({ email: { subject: null } }), undefined)
  })

  test('CFG-16 the fields of the card configuration have bounds, and logos are fetched by https only', async () => {
    const { api } = await kit.platform()
    const answer = await api.patch('/config', {
      cardTokenization2faConfig: {
        displayName: 'x'.repeat(256),
        logoUrl: 'http://example.com/logo.png',
        email: { fromAddress: 'nobody', subject: 5, bodyText: 'x'.repeat(2001) },
        sms: { templateSid: 'x'.repeat(65), bodyText: 'x'.repeat(481) },
      },
    })
    expectFields(
      answer,
      [
        'displayName',
        'logoUrl',
        'email.fromAddress',
        'email.subject',
        'email.bodyText',
        'sms.templateSid',
        'sms.bodyText',
      ].map((field) => `cardTokenization2faConfig.${field}`),
    )
  })
})

describe('fees', () => {
  test('CFG-17 an entry is added, replaced, and removed when both fees are 0', async () => {
    const { api } = await kit.platform()
    const fees = async (...feeConfigs: unknown[]): Promise<unknown> =>
      (await change(api, { feeConfigs })).feeConfigs
    assert.deepEqual(await fees(fee('USD')), [fee('USD')])
    assert.deepEqual(await fees(), [fee('USD')])
    const fixed = fee('USD', { variableFeeBps: 0, fixedFee: { amount: 1, currency: 'USD' } })
    assert.deepEqual(await fees(fixed), [fixed])
    assert.deepEqual(await fees(fee('USD', { variableFeeBps: 10_000 })), [
      fee('USD', { variableFeeBps: 10_000 }),
    ])
    const free = fee('USD', { variableFeeBps: 0, fixedFee: { amount: 0, currency: 'USD' } })
    assert.deepEqual(await fees(free), [])
    assert.deepEqual((await read(api)).feeConfigs, [])
  })

  test('CFG-17 fees have their bounds, one currency, and one entry a key', async () => {
    const { api } = await kit.platform()
    const send = (...feeConfigs: unknown[]) => api.patch('/config', { feeConfigs })
    expectFields(
      await send(
        fee('USD', { variableFeeBps: -1 }),
        fee('EUR', { variableFeeBps: 1.5, fixedFee: { amount: -1, currency: 'EUR' } }),
        fee('GBP', { fixedFee: { amount: 5, currency: 'USD' } }),
        fee('USD', { feeType: 'TIP' }),
        {},
      ),
      [
        'feeConfigs.0.variableFeeBps',
        'feeConfigs.1.variableFeeBps',
        'feeConfigs.1.fixedFee.amount',
        'feeConfigs.2.fixedFee.currency',
        'feeConfigs.3.feeType',
        'feeConfigs.4.feeType',
        'feeConfigs.4.sourceCurrency',
        'feeConfigs.4.variableFeeBps',
        'feeConfigs.4.fixedFee',
      ],
    )
    expectFields(await send(fee('USD'), fee('USD')), ['feeConfigs.1.sourceCurrency'])
    expectFields(await send(fee('XQX')), [
      'feeConfigs.0.sourceCurrency',
      'feeConfigs.0.fixedFee.currency',
    ])
  })

  test('CFG-18 fees in another currency are not offered, after the rest is found valid', async () => {
    const { api } = await kit.platform()
    const before = await read(api)
    const body = { feeConfigs: [fee('USD'), fee('EUR')], umaDomain: 'fees.example.com' }
    expectError(await api.patch('/config', body), 501, 'NOT_IMPLEMENTED')
    expectFields(await api.patch('/config', { ...body, umaDomain: 'x' }), ['umaDomain'])
    assert.deepEqual(await read(api), before)
  })
})
