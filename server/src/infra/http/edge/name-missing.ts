import { ApiError, type ErrorBody, type ErrorDetails } from '../../../kernel/errors.ts'
import type { Reply } from '../reply.ts'

type Sent = Readonly<{ query: unknown; body: unknown }>

/**
 * Adds to a 404 the field of the query or body with the unknown id (ERR-20); for an id in the path all 404s are alike
 * (CORE-3). It is derived from request and answer alone, so that a replay under an idempotency key is answered the same.
 */
export function namingMissing(call: Sent, reply: Reply): Reply {
  if (reply.status !== 404) return reply
  const body = reply.body as ErrorBody
  return { ...reply, body: { ...body, details: named(call, body.details) } }
}

/** The same for a 404 that is thrown. */
export function errorNamingMissing(call: Sent, error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 404) return error
  const { code, headers, because, message } = error
  return new ApiError(code, { headers, because, message, details: named(call, error.details) })
}

/** Leaves out resource and id where the query and body have no such id, or several. */
function named(sent: Sent, { resource, id, ...details }: ErrorDetails = {}): ErrorDetails {
  if (typeof resource !== 'string') return details
  const isUnknownId = (value: string): boolean =>
    id === undefined ? value.startsWith(`${resource}:`) : value === id
  const found = [...textsIn(sent.query), ...textsIn(sent.body)].filter(([, text]) =>
    isUnknownId(text),
  )
  const [first] = found
  const isOne = first && found.every(([, text]) => text === first[1])
  return isOne ? { ...details, resource, field: first[0], id: first[1] } : details
}

/** Every string in a JSON value, with the dot path to it. */
function* textsIn(value: unknown, path = ''): Generator<readonly [field: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return
  for (const [name, inner] of Object.entries(value))
    yield* textsIn(inner, path === '' ? name : `${path}.${name}`)
}
