import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describe as describeInstallation } from '../../src/app/description.ts'
import { operations } from '../../src/app/operations.ts'
import { isCheckedWhenUsed } from '../../src/infra/http/schema/checked-when-used.ts'
import type { Operation } from '../../src/infra/http/operation.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { PERMISSIONS } from '../../src/kernel/access/permissions.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type Api,
  type Body,
} from '../kit/api.ts'
import { connectAgent } from '../kit/setups/agents.ts'
import { createCustomer } from '../kit/customers.ts'
import { externalAccountBody } from '../kit/accounts/external-account-bodies.ts'
import { startKit } from '../kit/florin.ts'
import { fill, headersOf, requiredQuery } from './calls.ts'
import { shapeOf, withHostileLeaves, wrongValues } from './sample.ts'

const kit = await startKit()
const own = await kit.platform({ name: 'Own' })
const production = await kit.platform({ name: 'Production', environment: 'PRODUCTION' })
const byToken = operations.filter(({ needs }) => needs !== 'AGENT' && needs !== 'NOTHING')
const ofAgents = operations.filter(({ needs }) => needs === 'AGENT')
const called = [...byToken, ...ofAgents]
const agent = await connectAgent(own, { customerId: (await createCustomer(own)).id })

/** Who may call the operation: the platform, or an agent of it. */
const apiFor = ({ needs }: Operation): Api => (needs === 'AGENT' ? agent.api : own.api)

const fieldsOf = (details: Body): string[] =>
  items(details['errors']).map((error) => text(error['field']))

const isIgnoredUntilUsed = ({ body }: Operation): boolean =>
  body !== undefined && isCheckedWhenUsed(body)

const hasJsonBody = ({ body, form }: Operation): boolean => body !== undefined && !form

const call = (api: Api, operation: Operation, path = fill(operation.path)) =>
  api.send(operation.method, path, {
    headers: { 'content-type': 'application/json' },
    ...(operation.method !== 'GET' && { body: '{}' }),
  })

async function tokenWithout(permission: string): Promise<Api> {
  const permissions = PERMISSIONS.filter((held) => held !== permission)
  const answer = await own.api.post('/tokens', { name: `without ${permission}`, permissions })
  const { clientId, clientSecret } = expectStatus(answer, 201)
  return own.api.with({ clientId: clientId, clientSecret: text(clientSecret) })
}

const limited = new Map<string, Api>()
for (const permission of PERMISSIONS) limited.set(permission, await tokenWithout(permission))

for (const operation of byToken) {
  const { id, method, path, needs } = operation
  describe(`${method} ${path}`, () => {
    test(`CORE-20 ${id} without credentials, or with wrong ones, is 401 and always the same body`, async () => {
      const nobody = own.api.with({ clientId: own.clientId, clientSecret: 'wrong' })
      const bodies = new Set<string>()
      for (const headers of [{ authorization: '' }, { authorization: 'Bearer x' }, {}]) {
        const api = Object.keys(headers).length > 0 ? own.api : nobody
        const answer = await api.send(method, fill(path), { headers })
        expectError(answer, 401, 'UNAUTHORIZED')
        assert.equal(answer.headers.get('www-authenticate'), 'Basic')
        bodies.add(answer.text)
      }
      assert.equal(bodies.size, 1)
    })

    test(`CORE-21 TOK-10 TOK-11 ${id} needs ${needs} before anything is looked at`, async () => {
      const details = expectError(
        await call(limited.get(needs) as Api, operation),
        403,
        'FORBIDDEN',
      )
      assert.equal(details['requiredPermission'], needs)
    })

    if (path.startsWith('/sandbox/')) {
      test(`CORE-22 ${id} with a production token is 403`, async () => {
        expectError(await call(production.api, operation), 403, 'FORBIDDEN')
      })
    }
  })
}

for (const operation of called.filter(hasJsonBody)) {
  const { id, method, path, bodyOptional } = operation
  const send = async (body: string, type = 'application/json') => {
    const query = new URLSearchParams(await requiredQuery(operation, own))
    const headers = headersOf(operation, type)
    return apiFor(operation).send(method, `${fill(path)}?${query}`, { headers, body })
  }

  test(`CORE-2 ERR-1 ${id} refuses what is not JSON, and what is no JSON object`, async () => {
    expectError(await send('{'), 400, 'INVALID_REQUEST_FORMAT')
    expectError(await send('{"a":1}', 'text/plain'), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectError(await send(`{"a":"${'x'.repeat(1024 * 1024)}"}`), 413, 'PAYLOAD_TOO_LARGE')
    expectError(
      await send(`${'['.repeat(10_000)}${']'.repeat(10_000)}`),
      400,
      'INVALID_REQUEST_FORMAT',
    )
    // CHAL-1: taken for what it is where only some uses look at it, once the resource is found.
    if (isIgnoredUntilUsed(operation)) return
    for (const body of ['[]', '"text"', '5', 'null']) {
      const details = expectError(await send(body), 400, 'INVALID_INPUT')
      assert.deepEqual(fieldsOf(details), [''])
    }
  })

  const { properties = {}, required = [] } = shapeOf(operation.body as never)
  if (required.length > 0 && !bodyOptional) {
    test(`CORE-30 ${id} names every missing field at once`, async () => {
      const details = expectError(await send('{}'), 400, 'INVALID_INPUT')
      const named = fieldsOf(details)
      for (const field of required) assert.ok(named.includes(field), `${field} in ${named.join()}`)
    })
  }
  test(`CORE-30 ERR-5 ${id} refuses values of the wrong type by name, hostile ones included`, async () => {
    // Beside the example a rule about two fields is reached, alone one about what is missing.
    for (const others of [{}, operation.example as Body]) {
      for (const [field, schema] of Object.entries(properties)) {
        for (const value of isIgnoredUntilUsed(operation) ? [] : wrongValues(schema)) {
          const answer = await send(JSON.stringify({ ...others, [field]: value }))
          const details = expectError(answer, 400, 'INVALID_INPUT')
          const named = fieldsOf(details)
          const hit = named.some((one) => one === field || one.startsWith(`${field}.`))
          assert.ok(hit, `${field} = ${JSON.stringify(value)}: ${answer.text}`)
        }
      }
    }
    for (const body of withHostileLeaves(operation.example ?? {})) {
      const answer = await send(JSON.stringify(body))
      assert.ok(answer.status < 500, `${JSON.stringify(body)}: ${answer.text}`)
    }
  })
}

for (const operation of called.filter(({ query }) => query !== undefined)) {
  const { id, path, query } = operation
  const { properties = {} } = shapeOf(query as never)
  if (properties['limit']) {
    test(`CORE-30 CORE-50 ${id} takes a limit of 1 to 100 and only its own cursors, and names both`, async () => {
      for (const limit of ['0', '101', '-1', '1.5', 'ten']) {
        const details = expectError(
          await apiFor(operation).get(fill(path), { query: { limit } }),
          400,
          'INVALID_INPUT',
        )
        assert.ok(fieldsOf(details).includes('limit'))
      }
      const asked = { ...(await requiredQuery(operation, own)), cursor: 'bm90IG91cnM' }
      for (const [limit, named] of [
        ['1', ['cursor']],
        ['0', ['limit', 'cursor']],
      ] as const) {
        const query = { ...asked, limit }
        expectFields(await apiFor(operation).get(fill(path), { query }), named)
      }
    })
  }
}

for (const operation of ofAgents) {
  test(`CORE-24 AGENT-19 ${operation.id} refuses API tokens`, async () => {
    const answer = await call(own.api, operation)
    expectError(answer, 401, 'UNAUTHORIZED')
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  })
}

for (const operation of byToken) {
  test(`CORE-24 AGENT-19 ${operation.id} refuses agents' tokens`, async () => {
    const answer = await call(agent.api, operation)
    expectError(answer, 401, 'UNAUTHORIZED')
    assert.equal(answer.headers.get('www-authenticate'), 'Basic')
  })
}

test('CORE-9 a known path with another method is 405 and names its methods', async () => {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  for (const [path, offered] of byPath) {
    const methods = offered.map(({ method }) => method as string)
    const other = ['PUT', 'PATCH', 'DELETE', 'POST', 'GET'].find(
      (method) => !methods.includes(method),
    )
    if (!other) continue
    const answer = await own.api.send(other, fill(path))
    expectError(answer, 405, 'METHOD_NOT_ALLOWED')
    for (const method of methods) assert.ok(answer.headers.get('allow')?.includes(method), path)
  }
})

test('operation ids, and method with path, are unique', () => {
  const ids = operations.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const places = operations.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(places).size, places.length)
})

test('CORE-12 CORE-86 what is ours beside the contract is offered and described', async () => {
  const { paths } = describeInstallation({
    publicUrl: 'http://127.0.0.1:8080',
    wireBrand: 'Service',
  }) as { paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>> }
  for (const [method, path, ...query] of [
    ['GET', '/sandbox/clock'],
    ['POST', '/sandbox/clock'],
    ['GET', '/events'],
    ['GET', '/events/stream'],
    ['GET', '/requests'],
    ['GET', '/events/{eventId}'],
    ['POST', '/events/{eventId}/redeliver'],
    ['GET', '/auth/wallet-signer'],
    ['GET', '/cards', 'customerId'],
    ['GET', '/transactions', 'cardId'],
    ['GET', '/agents/approvals', 'status'],
  ] as const) {
    const described = paths[path]?.[method.toLowerCase()]
    assert.ok(described, `${method} ${path} is described`)
    for (const name of query) {
      const isThere = described.parameters.some((one) => one.name === name && one.in === 'query')
      assert.ok(isThere, `${path}?${name} is described`)
      expectFields(await own.api.get(fill(path), { query: { [name]: 'nonsense' } }), [name])
    }
    const nobody = await own.api.send(method, fill(path), { headers: { authorization: '' } })
    expectError(nobody, 401, 'UNAUTHORIZED')
  }
  for (const { method, path } of operations)
    assert.ok(paths[path]?.[method.toLowerCase()], `${method} ${path}`)
})

test('CORE-12 three headers of answers are ours', async () => {
  const unlikely = externalAccountBody('USD_ACCOUNT', { routingNumber: '123456789', colour: 'red' })
  const headers = { 'idempotency-key': newUuid() }
  const send = () => own.api.post('/platform/external-accounts', unlikely, { headers })
  const [first, again] = [await send(), await send()]
  expectStatus(first, 201)
  assert.equal(first.headers.get('ignored-fields'), 'accountInfo.colour')
  assert.equal(first.headers.get('validation-warnings'), 'accountInfo.routingNumber')
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})
