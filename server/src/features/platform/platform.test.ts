import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlatformConfig } from '../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Api,
  type Shown,
} from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startKit } from '../../../test/kit/florin.ts'

const kit = await startKit()

const AMOUNT_MAX = 9_000_000_000_000_000

/** A valid entry of `supportedCurrencies`, with overrides. */
const entry = (currencyCode: unknown, other: object = {}) => ({
  currencyCode,
  minAmount: 1,
  maxAmount: 1000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['OUTGOING'],
  ...other,
})

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

const codes = (config: Shown<PlatformConfig>): string[] =>
  config.supportedCurrencies.map((one) => one.currencyCode)

describe('reading', () => {
  test('CFG-1 CFG-2 a new platform has its currencies in order, its domains and nothing optional', async () => {
    const { api } = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD', 'EUR'] })
    const config = await read(api)
    assert.match(config.id, /^PlatformConfig:[0-9a-f-]{36}$/)
    assert.equal(config.umaDomain, `${config.proxyUmaSubdomain}.uma.localhost`)
    assert.deepEqual(
      config.supportedCurrencies,
      ['USD', 'EUR'].map((currencyCode) => ({
        currencyCode,
        minAmount: 1,
        maxAmount: AMOUNT_MAX,
        requiredCounterpartyFields: [],
        providerRequiredCustomerFields: [],
        enabledTransactionTypes: ['OUTGOING', 'INCOMING'],
      })),
    )
    assert.equal(config.isRegulatedFinancialInstitution, false)
    assert.deepEqual(config.feeConfigs, [])
    assert.equal(config.createdAt, config.updatedAt)
    assert.deepEqual(Object.keys(config).toSorted(), [
      'createdAt',
      'feeConfigs',
      'id',
      'isRegulatedFinancialInstitution',
      'proxyUmaSubdomain',
      'supportedCurrencies',
      'umaDomain',
      'updatedAt',
    ])
  })

  test('CFG-1 only a platform of kind REGULATED is a regulated institution', async () => {
    const { api } = await kit.platform({ kind: 'REGULATED' })
    assert.equal((await read(api)).isRegulatedFinancialInstitution, true)
  })

  test('CFG-2 no two platforms share a subdomain', async () => {
    const configs = await Promise.all([1, 2, 3].map(async () => read((await kit.platform()).api)))
    assert.equal(new Set(configs.map((one) => one.proxyUmaSubdomain)).size, 3)
  })

  test('CFG-12 what providers require is shown with each currency, [] where nothing is', async () => {
    const { api } = await kit.platform({ currencies: ['BRL', 'INR', 'NGN', 'PHP', 'CNY', 'EUR'] })
    const shown = (await read(api)).supportedCurrencies.map((one) => [
      one.currencyCode,
      one.providerRequiredCustomerFields,
      one.providerRequiredCounterpartyCustomerFields,
    ])
    assert.deepEqual(shown, [
      ['BRL', ['FULL_NAME', 'BIRTH_DATE', 'NATIONALITY'], ['FULL_NAME']],
      ['INR', ['FULL_NAME', 'BIRTH_DATE', 'NATIONALITY', 'POSTAL_ADDRESS'], ['FULL_NAME']],
      ['NGN', ['FULL_NAME', 'PHONE_NUMBER'], ['FULL_NAME']],
      ['PHP', ['FULL_NAME', 'BIRTH_DATE', 'POSTAL_ADDRESS'], ['FULL_NAME']],
      ['CNY', ['FULL_NAME', 'PHONE_NUMBER', 'POSTAL_ADDRESS'], ['FULL_NAME']],
      ['EUR', [], undefined],
    ])
  })
})

describe('changing', () => {
  test('CFG-3 only the fields present change', async () => {
    const { api } = await kit.platform({ currencies: ['USD', 'EUR'] })
    const before = await read(api)
    const body = { webhookEndpoint: 'http://127.0.0.1:9999/hook' }
    const after = await change(api, body)
    const { updatedAt: _before, ...rest } = before
    const { updatedAt: _after, ...changed } = after
    assert.deepEqual(changed, { ...rest, ...body })
    assert.deepEqual(await read(api), after)
  })

  test('CFG-3 an empty or equal update leaves updatedAt; any effective change moves it', async () => {
    const { api } = await kit.platform({ currencies: ['USD'] })
    const first = await change(api, {
      webhookEndpoint: 'https://hooks.example.com/a',
      umaDomain: 'pay.example.com',
      embeddedWalletConfig: { otpLength: 6 },
      cardTokenization2faConfig: { email: { subject: 'Your code' } },
      feeConfigs: [fee('USD')],
      supportedCurrencies: [entry('USD'), entry('EUR')],
    })
    for (const same of [
      {},
      { ...first },
      { umaDomain: 'PAY.Example.com' },
      { embeddedWalletConfig: { otpLength: 6, appName: null } },
      { embeddedWalletConfig: {} },
      { cardTokenization2faConfig: { email: { subject: 'Your code' }, sms: {} } },
      { feeConfigs: [] },
    ]) {
      assert.deepEqual(await change(api, same), first, JSON.stringify(same))
    }
    let last = first
    for (const other of [
      { umaDomain: 'pay2.example.com' },
      { webhookEndpoint: null },
      { embeddedWalletConfig: { otpLength: 7 } },
      { cardTokenization2faConfig: null },
      { feeConfigs: [fee('USD', { variableFeeBps: 31 })] },
      { supportedCurrencies: [entry('EUR'), entry('USD')] },
    ]) {
      const next = await change(api, other)
      assert.ok(next.updatedAt > last.updatedAt, JSON.stringify(other))
      last = next
    }
    assert.deepEqual(await read(api), last)
  })

  test('CFG-4 one invalid field refuses the whole update; every invalid field is named', async () => {
    const { api } = await kit.platform()
    const before = await read(api)
    const answer = await api.patch('/config', {
      umaDomain: 'localhost',
      webhookEndpoint: 'ftp://example.com',
      supportedCurrencies: [entry('USD', { minAmount: 10, maxAmount: 5 }), entry('XQX')],
      embeddedWalletConfig: { otpLength: 3, alphanumeric: 'yes' },
      cardTokenization2faConfig: { logoUrl: 'http://example.com/logo.png', sms: { bodyText: 5 } },
      feeConfigs: [fee('USD', { variableFeeBps: 10_001 })],
    })
    expectFields(answer, [
      'umaDomain',
      'webhookEndpoint',
      'supportedCurrencies.0.maxAmount',
      'supportedCurrencies.1.currencyCode',
      'embeddedWalletConfig.otpLength',
      'embeddedWalletConfig.alphanumeric',
      'cardTokenization2faConfig.logoUrl',
      'cardTokenization2faConfig.sms.bodyText',
      'feeConfigs.0.variableFeeBps',
    ])
    assert.deepEqual(await read(api), before)
  })

  test('CORE-7 null on a field that is always set is an error', async () => {
    const { api } = await kit.platform()
    const body = { umaDomain: null, supportedCurrencies: null, feeConfigs: null }
    expectFields(await api.patch('/config', body), Object.keys(body))
  })

  test('CFG-5 read-only fields are ignored, whatever their values', async () => {
    const { api } = await kit.platform({ kind: 'UNREGULATED' })
    const before = await read(api)
    const answer = await api.patch('/config', {
      id: 5,
      proxyUmaSubdomain: 'mine',
      isRegulatedFinancialInstitution: true,
      createdAt: 'never',
      updatedAt: null,
      supportedCurrencies: before.supportedCurrencies.map((one) => ({
        ...one,
        providerRequiredCustomerFields: 'nothing',
        providerRequiredCounterpartyCustomerFields: ['EMAIL'],
      })),
    })
    assert.deepEqual(expectStatus(answer, 200), before)
    const nested = before.supportedCurrencies.flatMap((_, n) => [
      `supportedCurrencies.${n}.providerRequiredCounterpartyCustomerFields`,
      `supportedCurrencies.${n}.providerRequiredCustomerFields`,
    ])
    assert.deepEqual(answer.headers.get('ignored-fields')?.split(', ').toSorted(), [
      'createdAt',
      'id',
      'isRegulatedFinancialInstitution',
      'proxyUmaSubdomain',
      ...nested,
      'updatedAt',
    ])
  })

  test('CFG-19 two racing changes of different fields both take effect', async () => {
    const { api } = await kit.platform({ currencies: ['USD'] })
    for (let round = 1; round <= 5; round += 1) {
      const umaDomain = `round${round}.example.com`
      const appName = `round ${round}`
      const bps = round
      await Promise.all([
        change(api, { umaDomain }),
        change(api, { embeddedWalletConfig: { appName } }),
        change(api, { embeddedWalletConfig: { otpLength: 4 + round } }),
        change(api, { feeConfigs: [fee('USD', { variableFeeBps: bps })] }),
        change(api, { supportedCurrencies: [entry('USD', { maxAmount: 100 + round })] }),
      ])
      const config = await read(api)
      assert.equal(config.umaDomain, umaDomain)
      assert.deepEqual(config.embeddedWalletConfig, {
        appName,
        otpLength: 4 + round,
      })
      assert.equal(config.feeConfigs[0]?.variableFeeBps, bps)
      assert.equal(config.supportedCurrencies[0]?.maxAmount, 100 + round)
    }
  })

  test('CFG-20 CORE-21 reading needs VIEW, changing needs MANAGE', async () => {
    const { api } = await kit.platform()
    const holding = async (permission: string): Promise<Api> => {
      const body = { name: permission, permissions: [permission] }
      const token = expectStatus(await api.post('/tokens', body), 201)
      return api.with({
        clientId: token.clientId,
        clientSecret: text(token.clientSecret),
      })
    }
    const [viewer, manager] = await Promise.all([holding('VIEW'), holding('MANAGE')])
    expectStatus(await viewer.get('/config'), 200)
    expectStatus(await manager.patch('/config', {}), 200)
    const refusedPatch = expectError(await viewer.patch('/config', {}), 403, 'FORBIDDEN')
    assert.equal(refusedPatch['requiredPermission'], 'MANAGE')
    const refusedGet = expectError(await manager.get('/config'), 403, 'FORBIDDEN')
    assert.equal(refusedGet['requiredPermission'], 'VIEW')
  })

  test('CORE-23 a platform reads and changes its own configuration only', async () => {
    const [one, other] = await Promise.all([kit.platform(), kit.platform()])
    const before = await read(other.api)
    await change(one.api, { umaDomain: 'one.example.com', supportedCurrencies: [entry('GBP')] })
    assert.deepEqual(await read(other.api), before)
  })
})

describe('currencies', () => {
  test('CFG-6 the list is replaced as a whole, in the order given', async () => {
    const { api } = await kit.platform({ currencies: ['USD', 'EUR', 'MXN'] })
    const body = { supportedCurrencies: [entry('GBP'), entry('USD')] }
    assert.deepEqual(codes(await change(api, body)), ['GBP', 'USD'])
    assert.deepEqual(codes(await read(api)), ['GBP', 'USD'])
  })

  test('CFG-6 1 to 100 entries, each with all its fields', async () => {
    const { api } = await kit.platform()
    const send = (supportedCurrencies: unknown) => api.patch('/config', { supportedCurrencies })
    expectFields(await send([]), ['supportedCurrencies'])
    const tooMany = Array.from({ length: 101 }, (_, n) => entry(n === 0 ? 'USD' : `A${n}`))
    const named = expectError(await send(tooMany), 400, 'INVALID_INPUT')
    assert.ok(items(named['errors']).some((one) => text(one['field']) === 'supportedCurrencies'))
    expectFields(await send([{}]), [
      'supportedCurrencies.0.currencyCode',
      'supportedCurrencies.0.minAmount',
      'supportedCurrencies.0.maxAmount',
      'supportedCurrencies.0.requiredCounterpartyFields',
      'supportedCurrencies.0.enabledTransactionTypes',
    ])
    expectFields(await send(['USD', null]), ['supportedCurrencies.0', 'supportedCurrencies.1'])
    expectFields(await send({ USD: entry('USD') }), ['supportedCurrencies'])
  })

  test('CFG-7 a code is one of the catalogue, in upper case', async () => {
    const { api } = await kit.platform()
    for (const code of ['XQX', 'usd', 'USD ', '', 'ZZZ', 'BITCOIN']) {
      const answer = await api.patch('/config', { supportedCurrencies: [entry(code)] })
      const [error] = expectFields(answer, ['supportedCurrencies.0.currencyCode'])
      assert.deepEqual(error?.['constraint'], { format: 'iso4217' }, code)
    }
  })

  test('CFG-7 a code listed twice is refused at the later entry', async () => {
    const { api } = await kit.platform()
    const supportedCurrencies = [entry('USD'), entry('EUR'), entry('USD'), entry('EUR')]
    expectFields(await api.patch('/config', { supportedCurrencies }), [
      'supportedCurrencies.2.currencyCode',
      'supportedCurrencies.3.currencyCode',
    ])
  })

  test('CFG-8 ERR-4 bounds are whole numbers from 0 to 9000000000000000, the lower not above the upper', async () => {
    const { api } = await kit.platform()
    const send = (bounds: string) =>
      api.send('PATCH', '/config', {
        headers: { 'content-type': 'application/json' },
        body: `{"supportedCurrencies":[{"currencyCode":"USD","requiredCounterpartyFields":[],
          "enabledTransactionTypes":[],${bounds}}]}`,
      })
    const wrong = ['0.5', '-1', '"5"', 'true', 'null', '9000000000000001', '9007199254740993']
    for (const value of [...wrong, '1e400', '[1]', '{}']) {
      const answer = await send(`"minAmount":1,"maxAmount":${value}`)
      expectFields(answer, ['supportedCurrencies.0.maxAmount'])
      const both = await send(`"minAmount":${value},"maxAmount":${value}`)
      const fields = ['supportedCurrencies.0.minAmount', 'supportedCurrencies.0.maxAmount']
      expectFields(both, fields)
    }
    expectFields(await send('"minAmount":10,"maxAmount":5'), ['supportedCurrencies.0.maxAmount'])
    for (const bounds of [
      '"minAmount":0,"maxAmount":0',
      `"minAmount":5,"maxAmount":${AMOUNT_MAX}`,
    ]) {
      const config = expectStatus(await send(bounds), 200)
      const [currency] = config.supportedCurrencies
      assert.ok(currency)
      const { minAmount, maxAmount } = currency
      assert.deepEqual({ minAmount, maxAmount }, JSON.parse(`{${bounds}}`))
    }
  })

  test('CFG-9 counterparty fields are known, said to be mandatory or not, and named once', async () => {
    const { api } = await kit.platform()
    const requiredCounterpartyFields = [
      { name: 'FULL_NAME', mandatory: true },
      { name: 'SHOE_SIZE', mandatory: true },
      { name: 'EMAIL', mandatory: 'no' },
      { name: 'FULL_NAME', mandatory: false },
      { mandatory: true },
    ]
    const path = 'supportedCurrencies.0.requiredCounterpartyFields'
    const answer = await api.patch('/config', {
      supportedCurrencies: [entry('USD', { requiredCounterpartyFields })],
    })
    const errors = expectFields(answer, [
      `${path}.1.name`,
      `${path}.2.mandatory`,
      `${path}.3.name`,
      `${path}.4.name`,
    ])
    const unknown = errors.find((one) => text(one['field']) === `${path}.1.name`)
    assert.equal(items(unknown?.['constraint']?.['enum']).length, 20)
    const good = [
      { name: 'FULL_NAME', mandatory: true, note: 'not kept' },
      { name: 'ID_NUMBER', mandatory: false },
    ]
    const supportedCurrencies = [entry('USD', { requiredCounterpartyFields: good })]
    const [usd] = (await change(api, { supportedCurrencies })).supportedCurrencies
    assert.deepEqual(usd?.requiredCounterpartyFields, [
      { name: 'FULL_NAME', mandatory: true },
      { name: 'ID_NUMBER', mandatory: false },
    ])
  })

  test('CFG-9 transaction types: repeats are dropped, empty means none', async () => {
    const { api } = await kit.platform()
    const typesAfter = async (enabledTransactionTypes: readonly string[]): Promise<unknown> => {
      const supportedCurrencies = [entry('USD', { enabledTransactionTypes })]
      const config = await change(api, { supportedCurrencies })
      return config.supportedCurrencies[0]?.enabledTransactionTypes
    }
    assert.deepEqual(await typesAfter(['INCOMING', 'OUTGOING', 'INCOMING']), [
      'INCOMING',
      'OUTGOING',
    ])
    assert.deepEqual(await typesAfter([]), [])
    const wrong = [entry('USD', { enabledTransactionTypes: ['INCOMING', 'SIDEWAYS'] })]
    const answer = await api.patch('/config', { supportedCurrencies: wrong })
    const field = 'supportedCurrencies.0.enabledTransactionTypes.1'
    const [error] = expectFields(answer, [field])
    assert.deepEqual(error?.['constraint'], { enum: ['INCOMING', 'OUTGOING'] })
  })

  test('CFG-10 a currency that is added has the platform’s account before the answer', async () => {
    const { api } = await kit.platform({ currencies: ['USD'] })
    const accountsIn = async (currency: string): Promise<number> => {
      const answer = await api.get('/platform/internal-accounts', { query: { currency } })
      return expectStatus(answer, 200).data.length
    }
    assert.deepEqual([await accountsIn('USD'), await accountsIn('GBP')], [1, 0])
    await change(api, { supportedCurrencies: [entry('USD'), entry('GBP')] })
    assert.deepEqual([await accountsIn('USD'), await accountsIn('GBP')], [1, 1])
  })

  test('CFG-11 a removed currency keeps its account, and has it again when it returns', async () => {
    const { api } = await kit.platform({ currencies: ['USD', 'EUR'] })
    const accounts = async (): Promise<unknown> =>
      expectStatus(await api.get('/platform/internal-accounts'), 200).data
    const before = await accounts()
    await change(api, { supportedCurrencies: [entry('USD')] })
    assert.deepEqual(await accounts(), before)
    await change(api, { supportedCurrencies: [entry('USD'), entry('EUR')] })
    assert.deepEqual(await accounts(), before)
  })

  test('CFG-10 CFG-11 customers without a list of their own follow the platform, others do not', async () => {
    const { api } = await kit.platform({ currencies: ['USD', 'EUR'] })
    const customer = async (other: object = {}): Promise<string> => {
      const body = { customerType: 'INDIVIDUAL', ...other }
      return expectStatus(await api.post('/customers', body), 201).id
    }
    const currenciesOf = async (id: string): Promise<unknown> =>
      expectStatus(await api.get(`/customers/${id}`), 200).currencies
    const [following, own] = [await customer(), await customer({ currencies: ['USD'] })]
    await change(api, { supportedCurrencies: [entry('USD'), entry('GBP')] })
    await eventually(async () =>
      assert.deepEqual(await currenciesOf(following), ['USD', 'EUR', 'GBP']),
    )
    assert.deepEqual(await currenciesOf(own), ['USD'])
    assert.deepEqual(await currenciesOf(await customer()), ['USD', 'GBP'])
    const late = { customerType: 'INDIVIDUAL', currencies: ['EUR'] }
    expectFields(await api.post('/customers', late), ['currencies.0'])
  })
})
