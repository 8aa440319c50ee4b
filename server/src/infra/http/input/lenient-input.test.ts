import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Answer,
  type Body,
} from '../../../../test/kit/api.ts'
import { advance } from '../../../../test/kit/outside/connect-receiver.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { platformAccount } from '../../../../test/kit/payments.ts'
import { DAY_MS, toWireDate } from '../../../kernel/clock.ts'
import { sql } from '../../db/statement/sql.ts'

const kit = await startOwnKit()
const { api } = await kit.platform()

const VALID = { name: 'ci', permissions: ['VIEW'] }

const setCreated = (tokenId: string, createdAt: string) =>
  sql`update api_tokens set created_at = ${createdAt} where id = ${tokenId.replace('Token:', '')}`

const suggestionsOf = (answer: Answer) =>
  expectError(answer, 400, 'INVALID_INPUT')['suggestions'] ?? {}

const messageAt = (answer: Answer, field: string): string => {
  const errors = items<Body>(expectError(answer, 400, 'INVALID_INPUT')['errors'])
  return text(errors.find((error) => text(error['field']) === field)?.['message'])
}

describe('unknown query parameters', () => {
  test('CORE-13 ERR-2 a mistyped filter is refused and the one that was meant is named', async () => {
    const answer = await api.get('/tokens', { query: { nam: 'ci' } })
    expectFields(answer, ['nam'])
    assert.deepEqual(suggestionsOf(answer), { nam: 'name' })
    const message = messageAt(answer, 'nam')
    assert.match(message, /did you mean name\?/)
    for (const known of ['createdAfter', 'updatedBefore', 'limit', 'cursor']) {
      assert.ok(message.includes(known), `${known} in ${message}`)
    }
  })

  test('CORE-13 case, hyphens and underscores do not count, two letters may differ', async () => {
    for (const [sent, meant] of [
      ['created_after', 'createdAfter'],
      ['Created-After', 'createdAfter'],
      ['LIMIT', 'limit'],
      ['craetedAftr', 'createdAfter'],
      ['updatedBefor', 'updatedBefore'],
    ] as const) {
      const answer = await api.get('/tokens', { query: { [sent]: '1' } })
      expectFields(answer, [sent])
      assert.deepEqual(suggestionsOf(answer), { [sent]: meant })
    }
  })

  test('CORE-13 without a near name there is no suggestion; names of the language are names', async () => {
    for (const sent of ['colour', '__proto__', 'constructor', 'toString', 'lmt_xyz']) {
      const answer = await api.get('/tokens', { query: { [sent]: '1' } })
      expectFields(answer, [sent])
      assert.equal(answer.body.details?.['suggestions'], undefined, sent)
    }
  })

  test('CORE-13 CORE-30 every one of them is reported, with whatever else is wrong', async () => {
    const query = { limt: '5', colour: 'red', limit: '0', cursor: 'nonsense' }
    const answer = await api.get('/tokens', { query })
    expectFields(answer, ['limt', 'colour', 'limit', 'cursor'])
    assert.deepEqual(suggestionsOf(answer), { limt: 'limit' })
    const headers = { 'idempotency-key': 'unknown-parameter' }
    const posted = await api.post('/tokens', { name: 5 }, { headers, query: { dryRun: true } })
    expectFields(posted, ['dryRun', 'name', 'permissions'])
    expectStatus(await api.post('/tokens', VALID, { headers }), 201)
  })

  test('CORE-13 CORE-32 nothing is done, and who may not call hears that first', async () => {
    const named = { ...VALID, name: 'never' }
    expectFields(await api.post('/tokens', named, { query: { x: 1 } }), ['x'])
    const found = expectStatus(await api.get('/tokens', { query: { name: 'never' } }), 200)
    assert.deepEqual(found.data, [])
    const nobody = await api.get('/tokens', { query: { x: 1 }, headers: { authorization: '' } })
    expectError(nobody, 401, 'UNAUTHORIZED')
    expectFields(await api.delete('/tokens/x', { query: { force: 1 } }), ['force'])
    assert.equal((await api.send('HEAD', '/tokens?x=1')).status, 400)
  })

  test('CORE-13 pages outside the version path ignore them', async () => {
    const { url } = expectStatus(await api.get('/customers/end-user-terms'), 200)
    const page = url.replace(/^https?:\/\/[^/]+/, new URL(kit.baseUrl).origin)
    assert.equal((await fetch(`${page}?utm=1`)).status, 200, page)
  })
})

describe('query values', () => {
  test('CORE-14 an empty cursor is an absent one', async () => {
    expectStatus(await api.get('/tokens', { query: { cursor: '' } }), 200)
    expectFields(await api.get('/tokens', { query: { cursor: '', limit: '0' } }), ['limit'])
  })

  test('CORE-14 CORE-53 a plain date is its whole UTC day', async () => {
    const { api: own } = await kit.platform()
    const clock = expectStatus(await own.get('/sandbox/clock'), 200)
    const [today, yesterday, tomorrow] = [0, -1, 1].map((days) =>
      toWireDate(new Date(Date.parse(clock.now) + days * DAY_MS)),
    )
    const count = async (query: Record<string, string | undefined>) =>
      expectStatus(await own.get('/tokens', { query }), 200).data.length
    assert.equal(await count({ createdAfter: today }), 1)
    assert.equal(await count({ createdAfter: tomorrow }), 0)
    assert.equal(await count({ createdBefore: today }), 1)
    assert.equal(await count({ createdBefore: yesterday }), 0)
    assert.equal(await count({ createdAfter: today, createdBefore: today }), 1)
    assert.equal(await count({ createdAfter: '0001-01-01', createdBefore: '9999-12-31' }), 1)
    for (const createdAfter of ['2025-02-30', '2025-2-3', '2025-02-03T', '20250203', '']) {
      const refusal = await own.get('/tokens', { query: { createdAfter } })
      expectFields(refusal, ['createdAfter'])
      assert.match(refusal.text, /2026-01-31T12:00:00Z, or a date"/)
    }
  })

  test('CORE-14 a last instant belongs to its day, the midnight after it does not', async () => {
    const { api: own, tokenId } = await kit.platform()
    const at = async (createdAt: string, createdBefore: string) => {
      await kit.florin.deps.db.read.run(setCreated(tokenId, createdAt))
      const found = await own.get('/tokens', { query: { createdBefore } })
      return expectStatus(found, 200).data.length
    }
    assert.equal(await at('2025-01-31T23:59:59.999Z', '2025-01-31'), 1)
    assert.equal(await at('2025-02-01T00:00:00.000Z', '2025-01-31'), 0)
    assert.equal(await at('2025-01-31T23:59:59.999Z', '2025-01-31T23:59:59.999Z'), 0)
  })

  test('CORE-14 TXN-10 startDate and endDate of one day hold what was created on it', async () => {
    const own = await kit.platform()
    const account = await platformAccount(own, 'USD')
    const fund = async () => {
      const path = `/sandbox/internal-accounts/${account}/fund` as const
      expectStatus(await own.api.post(path, { amount: 100 }), 200)
    }
    await fund()
    await advance(own, DAY_MS / 1000)
    await fund()
    const days = expectStatus(await own.api.get('/transactions'), 200).data.map((one) =>
      text(one.createdAt).slice(0, 10),
    )
    assert.equal(new Set(days).size, 2)
    for (const day of days) {
      const query = { startDate: day, endDate: day }
      const found = expectStatus(await own.api.get('/transactions', { query }), 200)
      const [only, ...more] = found.data
      assert.deepEqual([text(only?.createdAt).slice(0, 10), more.length], [day, 0])
    }
    const inverted = { startDate: days[0], endDate: days[1] }
    expectFields(await own.api.get('/transactions', { query: inverted }), ['startDate'])
  })

  test('CORE-14 a list takes repetition, commas and both, and drops what is empty', async () => {
    const codes = async (query: string) => {
      const answer = await api.get(`/exchange-rates?sourceCurrency=USD&${query}`)
      const data = expectStatus(answer, 200).data
      return [...new Set(data.map((one) => one.destinationCurrency.code))].toSorted()
    }
    const name = 'destinationCurrency'
    const all = await codes('')
    assert.deepEqual(await codes(`${name}=EUR`), ['EUR'])
    for (const query of [
      `${name}=EUR,MXN`,
      `${name}=EUR&${name}=MXN`,
      `${name}=EUR,,&${name}=,MXN`,
      `${name}=EUR%2CMXN`,
    ]) {
      assert.deepEqual(await codes(query), ['EUR', 'MXN'], query)
    }
    for (const query of [`${name}=`, `${name}=,`, `${name}=&${name}=`]) {
      assert.deepEqual(await codes(query), all, query)
    }
    expectFields(await api.get(`/exchange-rates?${name}=EUR,eur&${name}=x`), [
      `${name}.1`,
      `${name}.2`,
    ])
  })
})

test('CORE-6 IACC-13 a fraction is refused also where a number of this length is rounded to a whole one', async () => {
  const platform = await kit.platform()
  const path = `/sandbox/internal-accounts/${await platformAccount(platform, 'USD')}/fund` as const
  const fund = (amount: string) =>
    platform.api.send('POST', path, {
      headers: { 'content-type': 'application/json' },
      body: `{"amount":${amount}}`,
    })
  const fractions = ['99999999999.99999999', '0.999999999999999999', '99999999999999999e-17']
  for (const amount of fractions) expectFields(await fund(amount), ['amount'])
  const wholes = ['1.00000000000000000', '10000000000000000e-16', '0.00000000000000001e17']
  for (const [index, amount] of wholes.entries()) {
    assert.equal(expectStatus(await fund(amount), 200).balance.amount, index + 1, amount)
  }
})

describe('null in a body', () => {
  test('CORE-7 on an optional field it is absent, on a required one it is missing', async () => {
    const customer = { customerType: 'INDIVIDUAL', fullName: null, address: null, email: null }
    const created = expectStatus(await api.post('/customers', { ...customer, extra: null }), 201)
    assert.deepEqual(
      ['fullName', 'address', 'email', 'extra'].filter((name) => name in created),
      [],
    )
    const [error] = expectFields(await api.post('/tokens', { ...VALID, name: null }), ['name'])
    assert.deepEqual(error, { field: 'name', message: 'is required' })
    expectStatus(await api.post('/tokens', { ...VALID, extra: null }), 201)
  })

  test('CORE-7 it is so at any depth', async () => {
    const address = { line1: '1 High Street', postalCode: '12345', country: 'US' }
    const created = expectStatus(
      await api.post('/customers', {
        customerType: 'INDIVIDUAL',
        address: { ...address, line2: null, city: null },
      }),
      201,
    )
    assert.deepEqual(created.address, address)
    const refused = await api.post('/customers', {
      customerType: 'INDIVIDUAL',
      address: { ...address, line1: null },
    })
    expectFields(refused, ['address.line1'])
  })

  test('CORE-7 CORE-8 an unknown field is named in the sandbox although it is null', async () => {
    const answer = await api.post('/tokens', { ...VALID, extra: null })
    assert.equal(answer.headers.get('ignored-fields'), 'extra')
  })

  test('CORE-7 in a list it is an element, and checked as one', async () => {
    const answer = await api.post('/tokens', { ...VALID, permissions: ['VIEW', null] })
    const [error] = expectFields(answer, ['permissions.1'])
    assert.notEqual(error?.['message'], 'is required')
  })

  test('CORE-7 in PATCH it is a missing field where the resource must keep it', async () => {
    const [error] = expectFields(await api.patch('/config', { umaDomain: null }), ['umaDomain'])
    assert.equal(error?.['message'], 'is required')
    expectStatus(await api.patch('/config', { webhookEndpoint: null }), 200)
  })
})
