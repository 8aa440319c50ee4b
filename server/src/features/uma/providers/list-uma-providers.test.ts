import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Api,
} from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit({ SANDBOX_UMA_DOMAIN: 'play.example.org, Sandbox.UMA.test' })
const platform = await kit.platform()
const { api } = platform

const page = async (query: object, of: Api = api) =>
  expectStatus(await of.get('/uma-providers', { query: { ...query } }), 200)

const namesIn = async (query: object): Promise<string[]> =>
  (await page(query)).data.map((one) => one.name)

test('CFG-30 the sandbox’s directory: three providers by name, in descending order', async () => {
  const { data, ...rest } = await page({})
  assert.deepEqual(rest, { hasMore: false, totalCount: 3 })
  const [provider, latin, blocked] = data
  assert.deepEqual(provider, {
    name: 'Sandbox Provider',
    domain: 'play.example.org',
    supportedRegions: ['US', 'DE', 'FR', 'MX'],
    supportedCurrencies: [
      { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 },
      { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 },
      { code: 'MXN', name: 'Mexican Peso', symbol: '$', decimals: 2 },
    ],
    allowListStatus: true,
  })
  assert.equal(latin?.name, 'Sandbox Latin Provider')
  assert.equal(latin.domain, 'latam.play.example.org')
  assert.equal(blocked?.name, 'Sandbox Blocked Provider')
  assert.equal(blocked.domain, 'blocked.play.example.org')
  assert.equal(blocked.allowListStatus, false)
})

test('CFG-30 sortOrder turns the list round', async () => {
  const descending = await namesIn({ sortOrder: 'desc' })
  assert.deepEqual(await namesIn({ sortOrder: 'asc' }), descending.toReversed())
  const answer = await api.get('/uma-providers', { query: { sortOrder: 'up' } })
  const [error] = expectFields(answer, ['sortOrder'])
  assert.deepEqual(error?.['constraint'], { enum: ['asc', 'desc'] })
})

test('CFG-30 CORE-50 equal names are told apart by domain, page by page, in both orders', async () => {
  const production = await kit.platform({ environment: 'PRODUCTION' })
  const domains = ['c.example', 'a.example', 'b.example', 'd.example']
  for (const domain of domains) {
    await kit.florin.deps.db.read.run(
      sql`insert into uma_providers (environment, domain, name, supported_regions, supported_currencies, logo_url, lei,
            allow_list_status)
          values ('PRODUCTION', ${domain}, 'Twin', '{DE}', '{EUR}', 'https://twin.example/logo.png',
            '529900T8BM49AURSDO55', true)`,
    )
  }
  for (const sortOrder of ['asc', 'desc']) {
    const seen: string[] = []
    let cursor: unknown
    do {
      const shown = await page({ sortOrder, limit: 1, cursor }, production.api)
      assert.equal(shown.totalCount, 4)
      const [one] = shown.data
      assert.equal(one?.logoUrl, 'https://twin.example/logo.png')
      assert.equal(one.lei, '529900T8BM49AURSDO55')
      seen.push(one.domain)
      cursor = shown.nextCursor
    } while (cursor !== undefined)
    const sorted = domains.toSorted()
    assert.deepEqual(seen, sortOrder === 'asc' ? sorted : sorted.toReversed())
  }
})

test('CFG-30 CORE-22 each environment has its own directory', async () => {
  const production = await kit.platform({ environment: 'PRODUCTION' })
  const { data } = await page({}, production.api)
  assert.ok(data.every((one) => !one.name.startsWith('Sandbox')))
})

test('CFG-31 filters by country and currency combine', async () => {
  assert.deepEqual(await namesIn({ countryCode: 'BR' }), ['Sandbox Latin Provider'])
  assert.deepEqual(await namesIn({ countryCode: 'MX' }), [
    'Sandbox Provider',
    'Sandbox Latin Provider',
  ])
  assert.deepEqual(await namesIn({ currencyCode: 'BRL' }), ['Sandbox Latin Provider'])
  assert.deepEqual(await namesIn({ countryCode: 'MX', currencyCode: 'USD' }), ['Sandbox Provider'])
  assert.deepEqual(await namesIn({ countryCode: 'CH' }), [])
  assert.deepEqual(await namesIn({ currencyCode: 'brl' }), [])
  assert.equal((await page({ countryCode: 'BR' })).totalCount, 1)
})

test('CFG-31 hasBlockedProviders=false leaves out those that are not allowed', async () => {
  assert.deepEqual(await namesIn({ hasBlockedProviders: false }), [
    'Sandbox Provider',
    'Sandbox Latin Provider',
  ])
  assert.equal((await namesIn({ hasBlockedProviders: true })).length, 3)
  assert.equal((await namesIn({})).length, 3)
})

test('CFG-31 a malformed country and a non-boolean are named', async () => {
  for (const countryCode of ['br', 'BRA', 'XX', '']) {
    const query = { countryCode, hasBlockedProviders: 'no' }
    const errors = expectFields(await api.get('/uma-providers', { query }), [
      'countryCode',
      'hasBlockedProviders',
    ])
    const country = errors.find((one) => text(one['field']) === 'countryCode')
    assert.deepEqual(country?.['constraint'], { format: 'iso3166-1-alpha-2' })
  }
})

test('CFG-30 CORE-50 a cursor is bound to its order', async () => {
  const cursor = text((await page({ limit: 1 })).nextCursor)
  assert.equal((await namesIn({ cursor })).length, 2)
  const query = { cursor, sortOrder: 'asc' }
  expectFields(await api.get('/uma-providers', { query }), ['cursor'])
})

test('section 9.4: UMA-7 every domain of the sandbox answers alike, also as sender', async () => {
  const customerId = (await createCustomer(platform)).id
  const lookUp = (address: string) =>
    api.get(`/receiver/uma/${encodeURIComponent(address)}`, { query: { customerId } })
  for (const domain of ['play.example.org', 'sandbox.uma.test']) {
    const found = expectStatus(await lookUp(`$success.eur@${domain}`), 200)
    assert.equal(found.supportedCurrencies[0]?.currency.code, 'EUR')
    const blocked = await lookUp(`$success.eur@blocked.${domain}`)
    expectError(blocked, 403, 'COUNTERPARTY_NOT_ALLOWED')
    expectError(await lookUp(`$success.eur@latam.${domain}`), 404, 'UMA_NOT_FOUND')
    const received = await api.post('/sandbox/uma/receive', {
      senderUmaAddress: `$success.usd@${domain}`,
      customerId,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 100,
    })
    assert.equal(expectStatus(received, 200).status, 'PENDING')
  }
  const [first] = (await page({})).data
  assert.equal(first?.domain, 'play.example.org')
})
