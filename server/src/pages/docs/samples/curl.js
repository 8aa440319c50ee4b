/** A call as a command line. */
import { IDEMPOTENCY_HEADER } from '../try-it/request.js'
import { VARIABLES } from './call.js'

/**
 * The secret is never part of the text: a command line is pasted into chats and tickets.
 * @param {import('./call.js').Call} call
 */
export function curlSample(call) {
  const { method, isStream } = call.operation
  const options = [...(method === 'GET' ? [] : ['-X', method]), ...(isStream ? ['-N'] : [])]
  const lines = [
    ['curl', ...options, quoted(call.url)].join(' '),
    ...credentials(call.operation.access),
    ...call.signature.map(({ name, variable }) => `-H "${name}: $${variable}"`),
    ...headers(call).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...call.parts.map(([name, value]) => `-F ${quoted(`${name}=${partText(value)}`)}`),
    ...(call.bodyText.trim() ? [`-d ${quoted(call.bodyText)}`] : []),
  ]
  return lines.join(' \\\n  ')
}

/** @param {import('../model.js').Operation['access']} access */
function credentials(access) {
  const { clientId, clientSecret, agentToken, operatorToken } = VARIABLES
  switch (access) {
    case 'basic':
      return [`-u "$${clientId}:$${clientSecret}"`]
    case 'agent':
      return [`-H "Authorization: Bearer $${agentToken}"`]
    case 'operator':
      return [`-H "Authorization: Bearer $${operatorToken}"`]
    default:
      return []
  }
}

/** @param {import('./call.js').Call} call */
function headers({ operation, headers: given, idempotencyKey, bodyText }) {
  const type = operation.body?.mediaType ?? ''
  return Object.entries({
    ...given,
    ...(idempotencyKey && { [IDEMPOTENCY_HEADER]: idempotencyKey }),
    ...(bodyText.trim() && { 'Content-Type': type }),
  })
}

/** @param {string | File} value */
const partText = (value) => (value instanceof File ? `@${value.name}` : value)

/**
 * For a POSIX shell.
 * @param {string} text
 */
function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
