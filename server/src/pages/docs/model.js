/**
 * The description as the page needs it: operations in groups, error codes, events.
 *
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} method
 * @property {string} path
 * @property {string} tag
 * @property {string} title
 * @property {string | undefined} description
 * @property {any[]} parameters
 * @property {{ required: boolean, description?: string, mediaType: string, content: any } | undefined} body
 * @property {[string, any][]} responses
 * @property {'basic' | 'agent' | 'operator' | 'none'} access
 * @property {string | undefined} permission
 * @property {string[]} roles any one of them is enough; for operators
 * @property {string | undefined} fourEyes
 * @property {string[]} errors
 * @property {boolean} deprecated
 * @property {string | undefined} sdkMethod where the SDK has it
 * @property {boolean} isSigned the owner of a wallet signs the request that is its example
 * @property {boolean} isList its success is pages of items
 * @property {boolean} isStream
 * @property {boolean} hasAnswer its success has a body
 *
 * @typedef {{ code: string, status: number, message: string, retry?: string, reasons?: Readonly<Record<string, string>> }} ErrorEntry
 * @typedef {{ name: string, title: string, description?: string, schema: any, content: any }} WebhookEvent
 */
import { createSchemaReader } from './schema/schema.js'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const PERMISSIONS = ['VIEW', 'TRANSACT', 'MANAGE']
const BODY_TYPES = ['application/json', 'multipart/form-data']

/** @typedef {ReturnType<typeof createModel>} Model */

/** @param {Record<string, any>} document */
export function createModel(document) {
  const reader = createSchemaReader(document)
  const operations = readOperations(document, reader)
  const errors = readErrors(document)
  return {
    reader,
    operations,
    groups: groupByTag(document, operations),
    errors,
    webhooks: readWebhooks(document, reader),
    title: document.info?.title ?? 'API',
    version: document.info?.version ?? '',
    description: document.info?.summary ?? document.info?.description,
    /** @type {[string, string][] | undefined} where they differ from those of the API */
    conventions: document['x-florin-conventions'],
    serverUrl: document.servers?.[0]?.url ?? '/',
    signatureHeader: signatureHeader(document),
    operationById: new Map(operations.map((operation) => [operation.id, operation])),
    errorByCode: new Map(errors.map((error) => [error.code, error])),
  }
}

/**
 * @param {Record<string, any>} document
 * @param {import('./schema/schema.js').SchemaReader} reader
 * @returns {Operation[]}
 */
function readOperations(document, reader) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) =>
      readOperation({ document, reader, path, item, method }),
    ),
  )
}

/**
 * @param {{ document: any, reader: import('./schema/schema.js').SchemaReader, path: string, item: any, method: string }} options
 * @returns {Operation}
 */
function readOperation({ document, reader, path, item, method }) {
  const operation = item[method]
  const id = operation.operationId ?? `${method}${path.replace(/[^A-Za-z0-9]+/g, '-')}`
  return {
    id,
    method: method.toUpperCase(),
    path,
    tag: operation.tags?.[0] ?? 'Other',
    title: operation.summary || sentence(id),
    description: operation.description,
    parameters: readParameters({ reader, item, operation }),
    body: readBody(reader.resolve(operation.requestBody)),
    responses: Object.entries(operation.responses ?? {}).map(([status, response]) => [
      status,
      reader.resolve(response),
    ]),
    access: readAccess(operation.security ?? document.security ?? []),
    permission: PERMISSIONS.find((name) => name === operation['x-florin-permission']),
    roles: operation['x-required-role'] ?? [],
    fourEyes: operation['x-four-eyes'],
    errors: operation['x-florin-errors'] ?? [],
    deprecated: Boolean(operation.deprecated),
    sdkMethod: operation['x-florin-sdk-method'],
    isSigned: Boolean(operation['x-florin-signed']),
    ...readSuccess(method, operation, reader),
  }
}

/**
 * @param {string} method
 * @param {any} operation
 * @param {import('./schema/schema.js').SchemaReader} reader
 */
function readSuccess(method, operation, reader) {
  const answers = Object.entries(operation.responses ?? {})
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => reader.resolve(response).content ?? {})
  const schema = reader.resolve(answers[0]?.['application/json']?.schema)
  return {
    isList: method === 'get' && schema?.properties?.data?.type === 'array',
    isStream: answers.some((content) => 'text/event-stream' in content),
    hasAnswer: answers.some((content) => Object.keys(content).length > 0),
  }
}

/** @param {{ reader: import('./schema/schema.js').SchemaReader, item: any, operation: any }} options */
function readParameters({ reader, item, operation }) {
  const byKey = new Map()
  for (const parameter of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const resolved = reader.resolve(parameter)
    if (resolved) byKey.set(`${resolved.in}:${resolved.name}`, resolved)
  }
  return [...byKey.values()]
}

/** @param {any} body */
function readBody(body) {
  const types = Object.keys(body?.content ?? {})
  const mediaType = BODY_TYPES.find((type) => types.includes(type)) ?? types[0]
  if (!mediaType) return undefined
  const { required = false, description } = body
  return { required, description, mediaType, content: body.content[mediaType] }
}

/**
 * @param {Record<string, string[]>[]} security
 * @returns {Operation['access']}
 */
function readAccess(security) {
  const schemes = security.flatMap((requirement) => Object.keys(requirement))
  if (schemes.includes('BasicAuth')) return 'basic'
  if (schemes.includes('OperatorToken')) return 'operator'
  return schemes.includes('AgentAuth') ? 'agent' : 'none'
}

/**
 * @param {Record<string, any>} document
 * @param {Operation[]} operations
 */
function groupByTag(document, operations) {
  /** @type {Map<string, { tag: string, description: string | undefined, operations: Operation[] }>} */
  const groups = new Map()
  for (const { name, description } of document.tags ?? []) {
    groups.set(name, { tag: name, description, operations: [] })
  }
  for (const operation of operations) {
    const { tag } = operation
    if (!groups.has(tag)) groups.set(tag, { tag, description: undefined, operations: [] })
    groups.get(tag)?.operations.push(operation)
  }
  return [...groups.values()].filter((group) => group.operations.length > 0)
}

/**
 * @param {Record<string, any>} document
 * @returns {ErrorEntry[]}
 */
function readErrors(document) {
  const key = 'x-florin-error-catalogue'
  return document[key] ?? document.components?.[key] ?? []
}

/**
 * @param {Record<string, any>} document
 * @param {import('./schema/schema.js').SchemaReader} reader
 * @returns {WebhookEvent[]}
 */
function readWebhooks(document, reader) {
  return Object.entries(document.webhooks ?? {}).map(([name, item]) => {
    const operation = reader.resolve(item)?.post ?? {}
    const content = readBody(reader.resolve(operation.requestBody))?.content
    const isType = /^[A-Z_.]+$/.test(name)
    const title = isType ? name : operation.summary || sentence(name)
    const description = operation.description ?? (isType ? operation.summary : undefined)
    return { name, title, description, schema: content?.schema, content }
  })
}

/** @param {Record<string, any>} document */
function signatureHeader(document) {
  const schemes = Object.values(document.components?.securitySchemes ?? {})
  return schemes.find((scheme) => scheme.type === 'apiKey' && scheme.in === 'header')?.name
}

/**
 * `createQuote` and `agent-action` as a title.
 * @param {string} name
 */
function sentence(name) {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
