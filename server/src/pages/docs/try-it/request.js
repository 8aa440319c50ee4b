/**
 * A call in the making, as a request to send and as a command line to copy.
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
function queryValues(parameter, text) {
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
 * The secret is never part of the text: a command line is pasted into chats and tickets.
 * @param {import('../model.js').Operation} operation
 * @param {Draft} draft
 * @param {string} serverUrl
 */
export function curlCommand(operation, draft, serverUrl) {
  const url = `${serverUrl.replace(/\/$/, '')}${requestPath(operation, draft)}`
  const method = operation.method === 'GET' ? '' : `-X ${operation.method} `
  const lines = [`curl ${method}${quoted(url)}`]
  if (operation.access === 'basic') lines.push('-u "$FLORIN_CLIENT_ID:$FLORIN_CLIENT_SECRET"')
  if (operation.access === 'agent') lines.push('-H "Authorization: Bearer $FLORIN_AGENT_TOKEN"')
  if (operation.access === 'operator')
    lines.push('-H "Authorization: Bearer $FLORIN_OPERATOR_TOKEN"')
  for (const [name, value] of Object.entries(requestHeaders(operation, draft))) {
    lines.push(`-H ${quoted(`${name}: ${value}`)}`)
  }
  lines.push(...curlBody(operation, draft))
  return lines.join(' \\\n  ')
}

/**
 * @param {import('../model.js').Operation} operation
 * @param {Draft} draft
 */
function curlBody(operation, draft) {
  if (!operation.body) return []
  if (operation.body.mediaType === 'multipart/form-data') {
    return draft.parts.map(([name, value]) =>
      value instanceof File
        ? `-F ${quoted(`${name}=@${value.name}`)}`
        : `-F ${quoted(`${name}=${value}`)}`,
    )
  }
  if (!draft.bodyText.trim()) return []
  return [
    `-H ${quoted(`Content-Type: ${operation.body.mediaType}`)}`,
    `-d ${quoted(draft.bodyText)}`,
  ]
}

/**
 * For a POSIX shell.
 * @param {string} text
 */
function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
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
