import { ERROR_CODES, type ErrorCode } from './generated/error-codes.ts'
import type { ErrorBody, SignedRequestChallenge } from './generated/schemas.ts'

/** One field of the request that is not as it should be. */
export interface InvalidField {
  /** A path with array indices, as in `personalInfo.address.postalCode`. */
  field: string
  message: string
  constraint?: Record<string, unknown>
}

/** Any code of the catalogue, or one that is newer than this SDK. */
export type AnyErrorCode = ErrorCode | (string & {})

/** `UNEXPECTED_ANSWER` is our own: what came back does not look like an answer of the service. */
const UNEXPECTED = 'UNEXPECTED_ANSWER'

export type Refusal = Readonly<{
  status: number
  body: unknown
  requestId: string | undefined
  retryAfterSeconds: number | undefined
}>

/** The service answered, and the answer is no. Decide by `code`; the message is for people and may change. */
export class FlorinError extends Error {
  override readonly name = 'FlorinError'
  readonly status: number
  readonly code: AnyErrorCode
  readonly details: Readonly<Record<string, unknown>>
  /** All fields that are not valid, of an `INVALID_INPUT`. */
  readonly fields: readonly InvalidField[]
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined
  /** Whether the same request may be sent again, with the same idempotency key. */
  readonly retryable: boolean
  /** How long to wait before that, where the service said so. */
  readonly retryAfterSeconds: number | undefined

  constructor({ status, body, requestId, retryAfterSeconds }: Refusal) {
    const { code, message, details = {} } = asErrorBody(body)
    const fields = Array.isArray(details['errors']) ? (details['errors'] as InvalidField[]) : []
    super(`${code} (${status}): ${message}${named(fields, details)}`)
    this.status = status
    this.code = code
    this.details = details
    this.fields = fields
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.retryable = isKnown(code) ? ERROR_CODES[code] !== 'never' : status >= 500
  }
}

/** Sentences refer to the details, so what is logged holds them: fields, and whatever is plain or a list of that. */
function named(
  fields: readonly InvalidField[],
  details: Readonly<Record<string, unknown>>,
): string {
  const { docUrl: _, ...facts } = details
  const plain = Object.entries(facts).filter(([, value]) => [value].flat().every(isPlain))
  return [...fields.map(({ field, message }) => [field, message]), ...plain]
    .map(([name, value]) => `\n  ${String(name)}: ${[value].flat().join(', ')}`)
    .join('')
}

const isPlain = (value: unknown): boolean => Object(value) !== value

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CODES, code)

type Said = Readonly<{ code: AnyErrorCode; message: string; details?: ErrorBody['details'] }>

function asErrorBody(body: unknown): Said {
  const isOurs = typeof body === 'object' && body !== null && 'code' in body && 'message' in body
  if (isOurs) return body as Said
  return { code: UNEXPECTED, message: 'this is no answer of the service; is baseUrl right?' }
}

/** No answer came: the service may or may not have done what was asked. */
export class FlorinConnectionError extends Error {
  override readonly name = 'FlorinConnectionError'
  /** How often the request was sent. */
  readonly attempts: number
  readonly isTimeout: boolean
  /** Send the same again under this key to learn what became of it. */
  readonly idempotencyKey: string | undefined

  /** Host and port that were asked. */
  readonly host: string

  constructor({
    cause,
    ...failure
  }: {
    cause: unknown
    host: string
    attempts: number
    isTimeout: boolean
    idempotencyKey: string | undefined
  }) {
    const { host, attempts } = failure
    const reason = failure.isTimeout
      ? `no answer from ${host} in time`
      : `the connection to ${host} failed${said(cause)}`
    super(`${reason}, after ${attempts} attempt(s)`, { cause })
    this.host = host
    this.attempts = failure.attempts
    this.isTimeout = failure.isTimeout
    this.idempotencyKey = failure.idempotencyKey
  }
}

/** The runtime's `fetch` says only that it failed; why is in the cause of that. */
function said(failure: unknown): string {
  const inner = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure
  if (!(inner instanceof Error)) return ''
  return ` (${'code' in inner ? String(inner.code) : inner.message})`
}

/** The owner of the wallet has to sign `challenge.payloadToSign` first; nothing has happened yet. */
export class SignatureRequiredError extends Error {
  override readonly name = 'SignatureRequiredError'
  readonly challenge: SignedRequestChallenge

  constructor(challenge: SignedRequestChallenge) {
    super('the owner of the wallet has to sign this; give `sign` or `signature` with the call')
    this.challenge = challenge
  }
}

/** The service is still at it. Sending the same request again gets the result when there is one. */
export class StillProcessingError extends Error {
  override readonly name = 'StillProcessingError'
}

/** Not a genuine webhook: answer 401 and leave it alone. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
}
