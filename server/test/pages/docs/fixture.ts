/**
 * A small description with one of everything the reference shows, and a service that echoes what
 * it is sent.
 */
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { registerDocsPage } from '../../../src/pages/docs/docs-page.ts'

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const jsonOf = (name: string) => ({ 'application/json': { schema: schemaRef(name) } })
const customerId = { type: 'string', pattern: '^Customer:[0-9a-f-]{36}$' }

const schemas = {
  Address: {
    type: 'object',
    required: ['country'],
    properties: {
      country: { type: 'string', format: 'iso3166-1-alpha-2', minLength: 2, maxLength: 2 },
      postalCode: { type: 'string', description: 'As the country writes it.' },
    },
  },
  UsdAccount: {
    type: 'object',
    required: ['accountType', 'routingNumber', 'accountNumber'],
    properties: {
      accountType: { const: 'USD_ACCOUNT' },
      routingNumber: { type: 'string', pattern: '^[0-9]{9}$' },
      accountNumber: { type: 'string', minLength: 1, maxLength: 34 },
    },
  },
  EurAccount: {
    allOf: [
      {
        type: 'object',
        required: ['accountType'],
        properties: { accountType: { type: 'string' } },
      },
      {
        type: 'object',
        required: ['iban'],
        properties: { accountType: { const: 'EUR_ACCOUNT' }, iban: { type: 'string' } },
      },
    ],
  },
  AccountInfo: {
    oneOf: [schemaRef('UsdAccount'), schemaRef('EurAccount')],
    discriminator: {
      propertyName: 'accountType',
      mapping: {
        USD_ACCOUNT: '#/components/schemas/UsdAccount',
        EUR_ACCOUNT: '#/components/schemas/EurAccount',
      },
    },
  },
  CreateAccount: {
    type: 'object',
    required: ['currency', 'accountInfo'],
    properties: {
      id: { type: 'string', readOnly: true },
      currency: { type: 'string', enum: ['USD', 'EUR'], description: 'Of the **account**.' },
      amountMax: { type: 'integer', minimum: 1, maximum: 9_000_000_000_000_000 },
      accountInfo: schemaRef('AccountInfo'),
      holder: { anyOf: [schemaRef('Address'), { type: 'null' }] },
      parent: schemaRef('Folder'),
      aFieldWhoseNameIsLongerThanTheScreenOfAnyPhoneIsWide: {
        type: 'string',
        pattern: `^${'[0-9a-f]{4}:'.repeat(8)}$`,
        enum: ['AN_OBLIGATION_BETWEEN_TWO_PLATFORMS_THAT_IS_SETTLED_AT_THE_END_OF_DAY'],
      },
    },
  },
  Folder: {
    type: 'object',
    properties: {
      label: { type: 'string' },
      inside: { type: 'array', items: schemaRef('Folder') },
    },
  },
  Account: {
    type: 'object',
    required: ['id', 'accountInfo'],
    properties: {
      id: { type: 'string', pattern: '^ExternalAccount:[0-9a-f-]{36}$' },
      accountInfo: schemaRef('AccountInfo'),
    },
  },
  Upload: {
    type: 'object',
    required: ['file', 'documentType'],
    properties: {
      file: { type: 'string', format: 'binary' },
      documentType: { type: 'string', enum: ['PASSPORT', 'ID_CARD'] },
    },
  },
  Failure: {
    type: 'object',
    required: ['status', 'code', 'message'],
    properties: {
      status: { type: 'integer' },
      code: { type: 'string' },
      message: { type: 'string' },
    },
  },
  AccountEvent: {
    type: 'object',
    required: ['id', 'type', 'data'],
    properties: {
      id: { type: 'string' },
      type: { const: 'EXTERNAL_ACCOUNT.UPDATED' },
      data: schemaRef('Account'),
    },
  },
}

const refusal = { INVALID_INPUT: { $ref: '#/components/examples/INVALID_INPUT' } }
const failure = {
  description: '`A_CODE`: refused.\n\n`B_CODE`: too.',
  content: { 'application/json': { schema: schemaRef('Failure'), examples: refusal } },
}
const recordedAccount = {
  'application/json': {
    schema: schemaRef('Account'),
    example: { id: 'ExternalAccount:recorded', accountInfo: { accountType: 'EUR_ACCOUNT' } },
  },
}
const basic = [{ BasicAuth: [] }]

const paths = {
  '/external-accounts': {
    post: {
      operationId: 'createExternalAccount',
      tags: ['External accounts'],
      summary: 'Create an external account',
      description: 'Adds a bank account. The `currency` cannot change later.',
      security: basic,
      'x-florin-permission': 'MANAGE',
      'x-florin-errors': ['INVALID_INPUT', 'ACCOUNT_EXISTS'],
      parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
      'x-florin-sdk-method': 'externalAccounts.create',
      requestBody: { required: true, content: jsonOf('CreateAccount') },
      responses: { 201: { description: 'Created.', content: recordedAccount }, 400: failure },
    },
  },
  '/customers/{customerId}': {
    parameters: [{ name: 'customerId', in: 'path', required: true, schema: customerId }],
    get: {
      operationId: 'getCustomer',
      tags: ['Customers'],
      summary: 'Read a customer',
      security: basic,
      'x-florin-permission': 'VIEW',
      'x-florin-errors': ['USER_NOT_FOUND'],
      parameters: [
        { name: 'expand', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        { name: 'withClosed', in: 'query', schema: { type: 'boolean' } },
      ],
      responses: { 200: { description: 'Found.', content: jsonOf('Address') }, 404: failure },
    },
  },
  '/documents': {
    post: {
      operationId: 'uploadDocument',
      tags: ['Documents'],
      security: basic,
      'x-florin-permission': 'MANAGE',
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: schemaRef('Upload') } },
      },
      responses: { 201: { description: 'Stored.' } },
    },
  },
  '/agents/me': {
    get: {
      operationId: 'getAgentMe',
      tags: ['Agents'],
      summary: 'Read the agent itself',
      security: [{ AgentAuth: [] }],
      'x-florin-permission': 'AGENT',
      responses: { 200: { description: 'Found.' } },
    },
  },
}

const description = {
  openapi: '3.1.0',
  info: { title: 'Florin', version: '2025-10-13', description: 'A test of the reference.' },
  tags: [
    { name: 'Customers', description: 'People and companies.' },
    { name: 'External accounts' },
  ],
  paths,
  webhooks: {
    'EXTERNAL_ACCOUNT.UPDATED': {
      post: {
        summary: 'Sent when an external account changes.',
        requestBody: { content: jsonOf('AccountEvent') },
        responses: { 200: { description: 'Taken.' } },
      },
    },
  },
  components: {
    schemas,
    examples: {
      INVALID_INPUT: { value: { status: 400, code: 'INVALID_INPUT', message: 'As recorded.' } },
    },
    securitySchemes: {
      BasicAuth: { type: 'http', scheme: 'basic' },
      AgentAuth: { type: 'http', scheme: 'bearer' },
      WebhookSignature: { type: 'apiKey', in: 'header', name: 'X-Acme-Signature' },
    },
  },
  'x-florin-error-catalogue': [
    { code: 'INVALID_INPUT', status: 400, message: 'A field is invalid.', retry: 'never' },
    {
      ...{ code: 'ACCOUNT_EXISTS', status: 409, message: 'The account is known.', retry: 'never' },
      reasons: { SAME_NUMBER: 'Another account has this number; use `id`.' },
    },
    { code: 'USER_NOT_FOUND', status: 404, message: 'No such customer.', retry: 'never' },
    { code: 'RATE_LIMITED', status: 429, message: 'Too many requests.', retry: 'later' },
  ],
}

const VERSION_PATH = '/2025-10-13'

/** The published address is another host, as behind a proxy; the page must still call its own. */
export const PUBLIC_URL = `https://pay.example.com${VERSION_PATH}`

export type DocsServer = {
  origin: string
  /** How often /openapi.json answers 503 before it answers. */
  failNext(times: number): void
  close(): Promise<void>
}

export async function startDocsServer(): Promise<DocsServer> {
  const app = fastify()
  let failures = 0
  registerDocsPage(app)
  app.get('/openapi.json', (_request, reply) => {
    if (failures-- > 0) return reply.code(503).send({})
    return reply.send({ ...description, servers: [{ url: PUBLIC_URL }] })
  })
  addEcho(app)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    origin,
    failNext: (times) => {
      failures = times
    },
    close: () => app.close(),
  }
}

function addEcho(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post(`${VERSION_PATH}/*`, (request, reply) =>
    reply.code(201).header('X-Request-Id', 'request-7').send(echoOf(request)),
  )
  app.get(`${VERSION_PATH}/agents/me`, (request, reply) => reply.send(echoOf(request)))
  app.get(`${VERSION_PATH}/customers/:id`, (request, reply) => {
    if (request.url.includes('Customer:known')) return reply.send(echoOf(request))
    const message = 'No such customer.'
    return reply.code(404).send({ status: 404, code: 'USER_NOT_FOUND', message })
  })
}

function echoOf({ method, url, headers, body }: FastifyRequest) {
  return {
    method,
    url,
    authorization: headers.authorization,
    key: headers['idempotency-key'],
    type: headers['content-type']?.split(';')[0],
    body,
  }
}
