/**
 * A call in the making, as a request to send; the samples show the same call.
 *
 * @typedef {object} Draft
 * @property {Record<string, string>} values by `in:name`
 * @property {string} idempotencyKey
 * @property {string} bodyText
 * @property {[string, string | File][]} parts of a multipart body
 */

export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/** @param {{ in: string, name: string }} parameter */
export const parameterKey = (parameter) => `${parameter.in}:${parameter.name}`

/** @param {import('../model.js').Operation} operation */
export const isWrite = (operation) => operation.method !== 'GET'

/**
 * Headers that have an input of their own.
 * @param {any} parameter
 */
export const isOwnInput = (parameter) =>
  parameter.in === 'header' &&
  [IDEMPOTENCY_HEADER.toLowerCase(), 'authorization'].includes(parameter.name.toLowerCase())

/**
 * The path and query below the server address. Empty path parameters keep their placeholder.
 * @param {import('../model.js').Operation} operation
 * @param {Draft} draft
 */
export function requestPath(operation, draft) {
  const path = operation.path.replace(/\{([^}]+)\}/g, (placeholder, name) => {
    const value = draft.values[`path:${name}`]
    return value ? encodeURIComponent(value).replaceAll('%3A', ':') : placeholder
  })
  const query = new URLSearchParams()
  for (const parameter of operation.parameters.filter((candidate) => candidate.in === 'query')) {
    for (const value of queryValues(parameter, draft.values[parameterKey(parameter)] ?? '')) {
      query.append(parameter.name, value)
    }
  }
  const text = query.toString().replaceAll('%3A', ':')
  return text ? `${path}?${text}` : path
}

/**
 * @param {any} parameter
 * @param {string} text
 */
export function queryValues(parameter, text) {
  if (!text) return []
  const isList = parameter.schema?.type === 'array'
  if (!isList || parameter.explode === false) return [text]
  return text
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean)
}

/**
 * Headers but for the credentials and the body's type.
 * @param {import('../model.js').Operation} operation
 * @param {Draft} draft
 */
export function requestHeaders(operation, draft) {
  /** @type {Record<string, string>} */
  const headers = {}
  for (const parameter of operation.parameters.filter((candidate) => candidate.in === 'header')) {
    const value = draft.values[parameterKey(parameter)]
    if (value && !isOwnInput(parameter)) headers[parameter.name] = value
  }
  if (draft.idempotencyKey) headers[IDEMPOTENCY_HEADER] = draft.idempotencyKey
  return headers
}

/**
 * The page may only talk to the origin it came from (its content policy), so a call goes there,
 * below the path of the published address.
 * @param {string} serverUrl
 */
export function ownServerUrl(serverUrl) {
  const { pathname } = new URL(serverUrl, location.href)
  return `${location.origin}${pathname.replace(/\/$/, '')}`
}
