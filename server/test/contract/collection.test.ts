import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { describe } from '../../src/app/description.ts'
import { collectionOf } from '../../src/infra/http/schema/collection.ts'
import { startKit, type TestPlatform } from '../kit/florin.ts'
import { routesOf, type InterfaceDescription } from '../../../tools/sdk/interface-description.ts'

type Pair = Readonly<{ key: string; value: string; disabled?: boolean }>
type Request = Readonly<{
  method: string
  url: Readonly<{ raw: string; query?: readonly Pair[]; variable?: readonly Pair[] }>
  header: readonly Pair[]
  auth?: Readonly<{ type: string }>
  body?: Readonly<{ mode: string; raw?: string; formdata?: readonly (Pair & { type: string })[] }>
}>
type Item = Readonly<{ name: string; request: Request }>
type Folder = Readonly<{ name: string; item: readonly Item[] }>
type Collection = Readonly<{
  info: object
  variable: readonly Pair[]
  item: readonly Folder[]
}>

const kit = await startKit()
const described = describe({ publicUrl: 'https://florin.example', wireBrand: 'Service' })
const description = described as unknown as InterfaceDescription
const collection = collectionOf(described) as unknown as Collection
const folders = collection.item
const items = folders.flatMap(({ item }) => item)

const list = (items: object) => ({ type: 'array', items })
const object = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  properties,
})
const text = { type: 'string' }
const pairs = list(
  object(['key', 'value'], { key: text, value: text, disabled: { type: 'boolean' } }),
)
/** The parts of Postman's format 2.1.0 that we use, with what it demands of them. */
const FORMAT = object(['info', 'item'], {
  info: object(['name', 'schema'], {
    name: text,
    schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  }),
  variable: pairs,
  auth: { $ref: '#/$defs/auth' },
  item: list(
    object(['name', 'item'], {
      name: text,
      item: list(object(['name', 'request'], { name: text, request: { $ref: '#/$defs/request' } })),
    }),
  ),
})
const AUTH = object(['type'], {
  type: { enum: ['basic', 'bearer', 'noauth'] },
  basic: pairs,
  bearer: pairs,
})
const REQUEST = object(['method', 'url', 'header'], {
  method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  auth: { $ref: '#/$defs/auth' },
  header: pairs,
  url: object(['raw', 'host', 'path'], {
    raw: text,
    host: list(text),
    path: list(text),
    query: pairs,
    variable: pairs,
  }),
  body: object(['mode'], {
    mode: { enum: ['raw', 'formdata'] },
    raw: text,
    formdata: list(object(['key', 'type'], { key: text, type: { enum: ['text', 'file'] } })),
  }),
})

test('OPER-203 the collection has the form of its format', () => {
  const validate = new Ajv({ strict: false }).compile({
    ...FORMAT,
    $defs: { auth: AUTH, request: REQUEST },
  })
  assert.ok(validate(collection), JSON.stringify(validate.errors))
  assert.equal(validate({ ...collection, item: [{ name: 'no items' }] }), false, 'it does look')
})

test('OPER-203 every operation is in the folder of its tag, once', () => {
  const placed = folders.flatMap(({ name, item }) =>
    item.map(({ request }) => `${name}: ${request.method} ${request.url.raw}`),
  )
  const wanted = routesOf(description).map(({ method, path, operation }) => {
    const { tags } = operation as unknown as { tags: readonly string[] }
    return `${tags[0]}: ${method} {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
  })
  assert.deepEqual(placed.toSorted(), wanted.toSorted())
})

test('OPER-203 every variable that a request names is there, and bodies are JSON', () => {
  const known = new Set(['$guid', ...collection.variable.map(({ key }) => key)])
  for (const { name, request } of items) {
    for (const [, variable = ''] of JSON.stringify(request).matchAll(/\{\{([^}]+)\}\}/g)) {
      assert.ok(known.has(variable), `${name}: ${variable}`)
    }
    if (request.body?.raw !== undefined) JSON.parse(request.body.raw)
  }
})

/** Sends an item as a program does that has imported the collection. */
async function send(
  { clientId, clientSecret }: TestPlatform,
  summary: string,
  given: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const item = items.find(({ name }) => name === summary)
  assert.ok(item, summary)
  const values = new Map([
    ...collection.variable.map(({ key, value }) => [key, value] as const),
    ...Object.entries({ baseUrl: kit.baseUrl, clientId, clientSecret, ...given }),
  ])
  const filled = (template: string): string =>
    template.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) =>
      name === '$guid' ? randomUUID() : (values.get(name) ?? ''),
    )
  const { method, url, header, auth, body } = item.request
  const isOn = ({ disabled }: Pair): boolean => disabled !== true
  const place = (url.variable ?? []).reduce(
    (address, { key, value }) => address.replace(`:${key}`, filled(value)),
    filled(url.raw),
  )
  const query = (url.query ?? []).filter(isOn).map(({ key, value }) => [key, filled(value)])
  const headers = header
    .filter(isOn)
    .map(({ key, value }): [string, string] => [key, filled(value)])
  const basic = `Basic ${btoa(filled('{{clientId}}:{{clientSecret}}'))}`
  const answer = await fetch(`${place}?${new URLSearchParams(query)}`, {
    method,
    headers: [...headers, ...(auth ? [] : [['Authorization', basic] as [string, string]])],
    ...(body?.raw !== undefined && { body: filled(body.raw) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('OPER-203 requests of the collection are answered when the variables are filled in', async () => {
  const platform = await kit.platform()
  const made = await send(platform, 'Create a customer')
  assert.equal(made.status, 201)
  const customerId = String(made.body['id'])
  const read = await send(platform, 'Read a customer', { customerId })
  assert.deepEqual([read.status, read.body['fullName']], [200, made.body['fullName']])
  const again = await send(platform, 'Create a customer')
  assert.notEqual(again.body['id'], customerId, 'each request has a key of its own')
  for (const summary of [
    'List customers',
    "Read the platform's configuration",
    'List exchange rates',
  ]) {
    assert.equal((await send(platform, summary)).status, 200, summary)
  }
  const stranger = { clientSecret: 'wrong' }
  assert.equal((await send(platform, 'List customers', stranger)).status, 401)
})
