/**
 * A drafted call as the samples of every language need it: what was typed, and in its place what the reference has as
 * an example where a request cannot do without.
 *
 * @typedef {object} Call
 * @property {import('../model.js').Operation} operation
 * @property {string} url with the query
 * @property {string} serverUrl
 * @property {string[]} path the values in the path, in its order
 * @property {Record<string, string | string[]>} query
 * @property {Record<string, string>} headers but for credentials, signature and type of the body
 * @property {{ name: string, variable: string }[]} signature headers that the owner of a wallet fills
 * @property {string} idempotencyKey
 * @property {string} bodyText as it was typed
 * @property {any} body parsed; undefined where there is none, or none that can be read
 * @property {[string, string | File][]} parts of a form
 */
import {
  IDEMPOTENCY_HEADER,
  parameterKey,
  queryValues,
  requestHeaders,
  requestPath,
} from '../try-it/request.js'

/** The variables in which the samples expect what must not stand in a text that is copied. */
export const VARIABLES = {
  clientId: 'FLORIN_CLIENT_ID',
  clientSecret: 'FLORIN_CLIENT_SECRET',
  agentToken: 'FLORIN_AGENT_TOKEN',
  operatorToken: 'FLORIN_OPERATOR_TOKEN',
  deviceKey: 'FLORIN_DEVICE_KEY',
  signature: 'FLORIN_WALLET_SIGNATURE',
  requestId: 'FLORIN_REQUEST_ID',
}

const SIGNATURE_HEADER = /-Wallet-Signature$/
const FORM = 'multipart/form-data'

/**
 * @param {import('../model.js').Operation} operation
 * @param {import('../try-it/request.js').Draft} draft
 * @param {string} serverUrl
 * @returns {Call}
 */
export function createCall(operation, draft, serverUrl) {
  const typed = { ...draft.values, [`header:${IDEMPOTENCY_HEADER}`]: draft.idempotencyKey }
  const filled = { ...draft, values: withExamples(operation, typed) }
  const { [IDEMPOTENCY_HEADER]: _key, ...headers } = requestHeaders(operation, filled)
  const signature = signatureHeaders(operation)
  for (const { name } of signature) delete headers[name]
  const hasBody = operation.body && operation.body.mediaType !== FORM
  return {
    operation,
    serverUrl,
    url: `${serverUrl.replace(/\/$/, '')}${requestPath(operation, filled)}`,
    path: pathNames(operation).map((name) => filled.values[`path:${name}`] ?? `{${name}}`),
    query: queryOf(operation, filled.values),
    headers,
    signature,
    idempotencyKey: filled.values[`header:${IDEMPOTENCY_HEADER}`] ?? '',
    bodyText: hasBody ? draft.bodyText : '',
    body: hasBody ? parsed(draft.bodyText) : undefined,
    parts: operation.body?.mediaType === FORM ? draft.parts : [],
  }
}

/** @param {import('../model.js').Operation} operation */
const pathNames = (operation) => [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

/**
 * @param {import('../model.js').Operation} operation
 * @param {Record<string, string>} values
 */
function withExamples(operation, values) {
  const examples = operation.parameters
    .filter((parameter) => parameter.required && parameter.example !== undefined)
    .map((parameter) => [parameterKey(parameter), String(parameter.example)])
  const typed = Object.entries(values).filter(([, value]) => value)
  return Object.fromEntries([...examples, ...typed])
}

/**
 * @param {import('../model.js').Operation} operation
 * @param {Record<string, string>} values
 */
function queryOf(operation, values) {
  /** @type {Record<string, string | string[]>} */
  const query = {}
  for (const parameter of operation.parameters.filter((one) => one.in === 'query')) {
    const given = queryValues(parameter, values[parameterKey(parameter)] ?? '')
    const isList = parameter.schema?.type === 'array'
    if (given.length > 0) query[parameter.name] = isList ? given : given[0]
  }
  return query
}

/** @param {import('../model.js').Operation} operation */
function signatureHeaders({ isSigned, parameters }) {
  const name = parameters.find((one) => SIGNATURE_HEADER.test(one.name))?.name
  if (!isSigned || !name) return []
  return [
    { name, variable: VARIABLES.signature },
    { name: 'Request-Id', variable: VARIABLES.requestId },
  ]
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
