/** CORE-7, CORE-13, CORE-14: what every operation makes of unknown parameters, nulls, dates and lists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/app/operations.ts'
import type { Operation } from '../../src/infra/http/operation.ts'
import {
  propertySchemas,
  variantsOf,
  type Shape,
} from '../../src/infra/http/schema/schema-variants.ts'
import { connectAgent } from '../kit/setups/agents.ts'
import { expectError, items, text, type Answer, type Api, type Body } from '../kit/api.ts'
import { createCustomer } from '../kit/customers.ts'
import { startKit } from '../kit/florin.ts'
import { callWith, fill, requiredQuery, type Sent } from './calls.ts'
import { OWNED } from './owned-resources.ts'
import { namesIn, shapeOf } from './sample.ts'

const kit = await startKit()
const own = await kit.platform({ name: 'Own' })
const agent = await connectAgent(own, { customerId: (await createCustomer(own)).id })

const apiFor = ({ needs }: Operation): Api => (needs === 'AGENT' ? agent.api : own.api)

const send = (operation: Operation, sent: Omit<Sent, 'path'> = {}) =>
  callWith(apiFor(operation), operation, { path: fill(operation.path), ...sent })

/** What was found wrong with the fields of a request: nothing where it failed for another reason, or did not. */
function findings({ body }: Answer) {
  const errors = (body as Body | undefined)?.['details']?.['errors']
  return errors === undefined ? [] : items<Body>(errors)
}

const named = (answer: Answer): string[] => findings(answer).map((error) => text(error['field']))

const called = operations.filter(({ needs }) => needs !== 'NOTHING')

const parametersOf = ({ query }: Operation): Readonly<Record<string, Shape>> =>
  (query ? shapeOf(query).properties : undefined) ?? {}

for (const operation of called) {
  const { id } = operation
  const known = Object.keys(parametersOf(operation))
  test(`CORE-13 ${id} refuses an unknown query parameter and names a near one`, async () => {
    const query = await requiredQuery(operation, own)
    const answer = await send(operation, { query: { ...query, 'un-heard-of': '1' } })
    expectError(answer, 400, 'INVALID_INPUT')
    assert.ok(named(answer).includes('un-heard-of'), answer.text)
    const [error] = findings(answer).filter(({ field }) => String(field) === 'un-heard-of')
    for (const name of known) assert.ok(text(error?.['message']).includes(name), name)
    for (const name of known) {
      const mistyped = await send(operation, { query: { ...query, [`${name}x`]: '1' } })
      const { suggestions } = expectError(mistyped, 400, 'INVALID_INPUT')
      assert.deepEqual(suggestions, { [`${name}x`]: name })
    }
  })

  if (known.includes('cursor')) {
    test(`CORE-14 ${id} takes an empty cursor for none`, async () => {
      const query = await requiredQuery(operation, own)
      const [without, empty] = [
        await send(operation, { query }),
        await send(operation, { query: { ...query, cursor: '' } }),
      ]
      assert.deepEqual([empty.status, named(empty)], [without.status, []], empty.text)
    })
  }

  for (const [name, { format, type }] of Object.entries(parametersOf(operation))) {
    const ask = async (value: string) =>
      send(operation, { query: { ...(await requiredQuery(operation, own)), [name]: value } })
    if (format === 'date-time') {
      test(`CORE-14 CORE-53 ${id} takes a plain date as ${name}`, async () => {
        assert.match(name, /^startDate$|^endDate$|After$|Before$/, 'a date filter has such a name')
        for (const value of ['2025-01-31', '0001-01-01', '9999-12-31', '2025-01-31T00:00:00Z']) {
          assert.deepEqual(named(await ask(value)), [], value)
        }
        for (const value of ['2025-02-30', '2025-1-1', 'today', '0000-01-01']) {
          assert.deepEqual(named(await ask(value)), [name], value)
        }
      })
    }
    if (type === 'array') {
      test(`CORE-14 ${id} takes ${name} with commas, and checks each part`, async () => {
        assert.deepEqual(named(await ask('EUR,,MXN,')), [])
        assert.deepEqual(named(await ask('')), [])
        assert.deepEqual(named(await ask('EUR,\u0001')), [`${name}.1`])
      })
    }
  }
}

for (const operation of operations.filter(({ needs }) => needs === 'NOTHING')) {
  const { id, path } = operation
  test(`CORE-13 ${id} refuses an unknown query parameter, and does nothing`, async () => {
    const [name = ''] = namesIn(path)
    const filled = fill(path, { [name]: (await OWNED[name]?.(own)) ?? '' })
    const ask = (query: Readonly<Record<string, string>>) =>
      callWith(own.api, operation, { path: filled, query })
    assert.deepEqual(named(await ask({ x: '1' })), ['x'])
    assert.ok((await ask({})).status < 300)
  })
}

type Field = Readonly<{ path: readonly string[]; isRequired: boolean }>

/** The fields of the objects that a body holds, as its schema has them, also those that the body leaves out. */
function fieldsOf(body: unknown, schemas: readonly Shape[], path: readonly string[] = []): Field[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const variants = schemas.flatMap((schema) => variantsOf(schema, body))
  const names = new Set(
    variants.flatMap(({ properties = {} }) => Object.keys(properties as object)),
  )
  const required = new Set(variants.flatMap((one) => (one['required'] ?? []) as string[]))
  return [...names].flatMap((name) => [
    { path: [...path, name], isRequired: required.has(name) },
    ...fieldsOf((body as Body)[name], propertySchemas(variants, name) ?? [], [...path, name]),
  ])
}

/** The body with another value, or none, at the end of the path. */
function put(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): object {
  const { [name]: inner, ...others } = body as Record<string, unknown>
  if (rest.length > 0) return { ...others, [name]: put(inner, rest, value) }
  return value === undefined ? others : { ...others, [name]: value }
}

const withJson = called.filter(({ body, form }) => body !== undefined && !form)

for (const operation of withJson) {
  const { id, method, body: schema, example = {} } = operation
  const fields = fieldsOf(example, [schema as Shape])
  test(`CORE-7 ${id} takes null for what it means, on every field`, async () => {
    const query = await requiredQuery(operation, own)
    for (const { path, isRequired } of fields) {
      const field = path.join('.')
      const answer = await send(operation, { query, body: put(example, path, null) })
      assert.ok(answer.status < 500, `${field}: ${answer.text}`)
      const [found] = findings(answer).filter((error) => String(error['field']) === field)
      if (method === 'PATCH' && !isRequired) {
        // It clears the field, or the resource must keep it.
        if (found) assert.equal(found['message'], 'is required', `${field}: ${answer.text}`)
        continue
      }
      const absent = await send(operation, { query, body: put(example, path, undefined) })
      assert.deepEqual(findings(answer), findings(absent), `${field}: ${answer.text}`)
    }
  })
}

test('CORE-7 the walk reaches fields inside of others', () => {
  const depths = withJson.flatMap(({ body, example = {} }) =>
    fieldsOf(example, [body as Shape]).map(({ path }) => path.length),
  )
  assert.ok(Math.max(...depths) >= 3)
})
