import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe } from '../../src/app/description.ts'
import { dataSchemaOf, EVENT_TYPES } from '../../src/webhooks/event-types.ts'

type Shape = Readonly<Record<string, unknown>>
type Described = Readonly<{
  paths: Record<string, Record<string, { operationId: string }>>
  webhooks: Record<string, { post: { operationId: string } & Shape }>
  components: { schemas: Record<string, Shape>; examples: Record<string, Shape> }
}>

const description = describe({ publicUrl: 'https://florin.example', wireBrand: 'Service' })
const { paths, webhooks, components } = description as unknown as Described

const copy = (): Described => JSON.parse(JSON.stringify(description)) as Described

test('CORE-86 the description is valid by the schema that OpenAPI publishes', async () => {
  const { valid, errors } = await new Validator().validate(copy())
  assert.ok(valid, JSON.stringify(errors))
  const broken = { ...copy(), webhooks: { TEST: { post: { responses: { 200: {} } } } } }
  assert.equal((await new Validator().validate(broken)).valid, false, 'it does look')
})

test('CORE-86 every schema of the description is one by JSON Schema 2020-12', () => {
  const ajv = new Ajv2020({ strict: false })
  for (const [name, schema] of Object.entries(copy().components.schemas)) {
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`)
  }
  assert.equal(ajv.validateSchema({ type: 'nonsense' }), false, 'it does look')
})

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (key === '$ref') yield String(part)
    else yield* referencesIn(part)
  }
}

test('CORE-86 every reference of the description leads somewhere', () => {
  const used = new Set(referencesIn(description))
  const known = new Set(
    (['schemas', 'examples'] as const).flatMap((kind) =>
      Object.keys(components[kind]).map((name) => `#/components/${kind}/${name}`),
    ),
  )
  assert.deepEqual([...used.difference(known)], [])
  assert.deepEqual([...known.difference(used)], [], 'and nothing is described for nothing')
})

test('CORE-86 an operation id is unique and may stand in an address', () => {
  const ids = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[A-Za-z0-9._-]+$/)
})

test('HOOK-5 CORE-86 a webhook is described with the resource that it carries', () => {
  assert.deepEqual(Object.keys(webhooks), [...EVENT_TYPES])
  for (const type of EVENT_TYPES) {
    const schema = dataSchemaOf(type)
    assert.equal(schema === undefined, type === 'TEST', type)
    if (schema === undefined || !(schema in components.schemas)) continue
    const [carried] = [...referencesIn(webhooks[type])]
    assert.equal(carried, `#/components/schemas/${schema}`, type)
  }
  assert.ok(
    [...referencesIn(webhooks['INTERNAL_ACCOUNT.BALANCE_UPDATED'])].length === 1,
    'at least those are offered',
  )
})

test('HOOK-8 CORE-86 the webhook that asks is described with what may be answered', () => {
  const { IncomingPaymentWebhookData: data } = components.schemas
  assert.match(JSON.stringify(data), /"requestedReceiverCustomerInfoFields"/)
  assert.match(JSON.stringify(data), /"receivedAmount"/)
  const responses = webhooks['INCOMING_PAYMENT.PENDING']?.post['responses'] ?? {}
  assert.deepEqual(Object.keys(responses), ['200', '202', '403', '409', '422'])
})

test('CORE-11 names of the wire are described in the brand of the installation', async () => {
  const branded = describe({ publicUrl: 'https://florin.example', wireBrand: 'Acme' })
  const text = JSON.stringify(branded)
  for (const name of [
    ...['Acme-Wallet-Signature', 'X-Acme-Signature', 'acmeApiMultiplier', 'acmeApiFixedFee'],
    ...['acmeApiVariableFeeRate', 'acmeApiVariableFeeAmount', 'acmeOperationsStatus'],
    ...['ACME_INTERNAL_ACCOUNT', 'CLOSED_BY_ACME', 'ACME_SWITCH_ERROR', 'SERVICE_UNAVAILABLE'],
    'StablecoinAcmeOperationsStatus',
  ]) {
    assert.ok(text.includes(`"${name}"`), name)
  }
  const others = text.match(/\b\w*-?service[-_A-Z]\w*|\b\w*_SERVICE\b|\w+Service\w+/gi) ?? []
  const left = new Set(others.filter((name) => !/services$/i.test(name)))
  assert.deepEqual([...left], ['SERVICE_UNAVAILABLE'])
  const { valid, errors } = await new Validator().validate(JSON.parse(text) as Described)
  assert.ok(valid, JSON.stringify(errors))
})

test('CORE-86 the codes of an operation include what follows from its form', () => {
  const codesOf = (path: string, method: string): unknown =>
    (paths[path]?.[method] as Shape | undefined)?.['x-florin-errors']
  const keyed = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE']
  const common = [
    'INVALID_INPUT',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ]
  assert.deepEqual(codesOf('/config', 'get'), common)
  const ofToken = codesOf('/tokens', 'post') as string[]
  for (const code of ['INVALID_REQUEST_FORMAT', ...keyed, ...common]) {
    assert.equal(ofToken.filter((one) => one === code).length, 1, code)
  }
  const ofRemoval = codesOf('/documents/{documentId}', 'delete') as string[]
  assert.ok(ofRemoval.includes('INVALID_INPUT'), 'a key may be malformed where there is no field')
  const ofReveal = codesOf('/cards/{cardId}/reveal', 'post') as string[]
  assert.ok(!keyed.some((code) => ofReveal.includes(code)), 'a key is not looked at')
})
