import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DescribedOperation, InterfaceDescription, Schema } from './interface-description.ts'
import { resourceMethod } from './resource-method.ts'
import { resourcesFiles } from './resources-files.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const text: Schema = { type: 'string' }

const SCHEMAS: Readonly<Record<string, Schema>> = {
  Pet: { type: 'object', properties: { name: text } },
  PetListResponse: {
    type: 'object',
    properties: { data: { type: 'array', items: ref('Pet') } },
  },
  Challenge: { type: 'object', properties: { payloadToSign: text, requestId: text } },
  Leash: { type: 'object', properties: { code: { ...text, 'x-shown-once': true } } },
  PetOrLeash: { type: 'object', oneOf: [ref('Pet'), ref('Leash')] },
  ProcessingResponse: { type: 'object', properties: { status: text } },
}

const KEY = { name: 'Idempotency-Key', in: 'header', required: false, schema: text } as const
const STAMP = { ...KEY, name: 'Service-Wallet-Signature' } as const
const query = (name: string, required = false) =>
  ({ name, in: 'query', required, schema: text }) as const

type Case = Readonly<{
  because: string
  method: string
  path: string
  operation: Partial<DescribedOperation>
  signature: string
  implementation: string
}>

const CASES: readonly Case[] = [
  {
    because: 'an id in the address is escaped',
    method: 'GET',
    path: '/pets/{petId}',
    operation: { responses: { 200: json(ref('Pet')) } },
    signature: 'act(petId: string, options?: CallOptions): Promise<Pet>',
    implementation:
      "act: (petId, options) => send({ method: 'GET', path: `/pets/${encodeURIComponent(petId)}` }, options)",
  },
  {
    because: 'what answers data is a list, and several questions have a type',
    method: 'GET',
    path: '/pets',
    operation: {
      parameters: [query('kind'), query('limit')],
      responses: { 200: json(ref('PetListResponse')) },
    },
    signature: 'act(query?: ActPetQuery, options?: CallOptions): List<Pet, PetListResponse>',
    implementation:
      "act: (query, options) => list({ method: 'GET', path: '/pets', query }, options)",
  },
  {
    because: 'a single question stands where it is asked, in front of the body',
    method: 'POST',
    path: '/pets',
    operation: {
      parameters: [query('ownerId', true), KEY],
      requestBody: { required: true, ...json(ref('Pet')) },
      responses: { 201: json(ref('Pet')) },
    },
    signature: 'act(query: { ownerId: string }, body: Pet, options?: WriteOptions): Promise<Pet>',
    implementation:
      "act: (query, body, options) => send({ method: 'POST', path: '/pets', query, body, isKeyed: true }, options)",
  },
  {
    because: 'what stands in for the answer of a wallet is dealt with by the runtime',
    method: 'DELETE',
    path: '/pets',
    operation: {
      parameters: [STAMP, KEY],
      responses: { 200: json(ref('ProcessingResponse')), 202: json(ref('Challenge')), 204: {} },
    },
    signature: 'act(options?: SignedOptions): Promise<void>',
    implementation:
      "act: (options) => send({ method: 'DELETE', path: '/pets', isKeyed: true, isSigned: true, isProcessed: true }, options)",
  },
  {
    because: 'the runtime knows what is shown once, also in one of several shapes',
    method: 'POST',
    path: '/leashes',
    operation: { parameters: [KEY], responses: { 201: json(ref('PetOrLeash')) } },
    signature: 'act(options?: WriteOptions): Promise<PetOrLeash>',
    implementation:
      "act: (options) => send({ method: 'POST', path: '/leashes', isKeyed: true, isShownOnce: true }, options)",
  },
  {
    because: 'what is read can be read again, whatever it shows',
    method: 'GET',
    path: '/leashes',
    operation: { responses: { 200: json(ref('Leash')) } },
    signature: 'act(options?: CallOptions): Promise<Leash>',
    implementation: "act: (options) => send({ method: 'GET', path: '/leashes' }, options)",
  },
  {
    because: 'a stamp may be taken where none is asked for',
    method: 'POST',
    path: '/pets',
    operation: { parameters: [STAMP, KEY], responses: { 200: json(ref('Pet')) } },
    signature: 'act(options?: StampedOptions): Promise<Pet>',
    implementation:
      "act: (options) => send({ method: 'POST', path: '/pets', isKeyed: true }, options)",
  },
  {
    because: 'a form is one, and credentials are not sent where none are wanted',
    method: 'POST',
    path: '/pets',
    operation: {
      security: [],
      requestBody: { content: { 'multipart/form-data': { schema: ref('Pet') } } },
      responses: { 204: {} },
    },
    signature: 'act(body?: Pet, options?: CallOptions): Promise<void>',
    implementation:
      "act: (body, options) => send({ method: 'POST', path: '/pets', form: body, isAnonymous: true }, options)",
  },
]

for (const { because, method, path, operation, signature, implementation } of CASES) {
  test(`${method} ${path}: ${because}`, () => {
    const described = { operationId: 'actPet', summary: 'Act', responses: {}, ...operation }
    const made = resourceMethod(
      { method, path, operation: described },
      { name: 'act', place: 'pets.act', schemas: SCHEMAS },
    )
    assert.equal(made.signature.replace(/\/\*\*[^]*?\*\/\n/, ''), signature)
    assert.equal(made.implementation, implementation)
  })
}

test('what is said of an operation goes along, without the codes that any may answer', () => {
  const operation = {
    operationId: 'actPet',
    summary: 'Walk a pet',
    description: 'Rain or shine.',
    deprecated: true,
    responses: {},
    'x-florin-permission': 'TRANSACT',
    'x-florin-errors': ['INVALID_INPUT', 'PET_ASLEEP'],
  }
  const { signature } = resourceMethod(
    { method: 'POST', path: '/walks', operation },
    { name: 'walk', place: 'pets.walk', schemas: {} },
  )
  assert.match(signature, /\* Walk a pet\. Rain or shine\./)
  assert.match(signature, /\* `POST \/walks`, needs TRANSACT\. Refuses with PET_ASLEEP\./)
  assert.match(signature, /\* @deprecated/)
})

test('an operation that nobody has named stops the generator', () => {
  const description = {
    paths: { '/pets': { get: { operationId: 'listPets', summary: '', responses: {} } } },
    components: { schemas: {} },
  } as unknown as InterfaceDescription
  assert.throws(() => resourcesFiles(description), /listPets has no name in infra/)
})
