/**
 * Refusals. `fail` throws and rolls the transaction back; `refuse` is returned and lets it commit, for writes that must
 * outlive the refusal (a counted attempt, a spent challenge). Bugs are `invariant`, never one of these.
 */
import { ERRORS } from './error-catalogue.ts'
import type { ErrorCode, ErrorStatus } from './error-catalogue.ts'

export { ERRORS, RESERVED_CODES } from './error-catalogue.ts'
export type { ErrorCode, ErrorStatus } from './error-catalogue.ts'

/** Sent to the caller unchanged, so it has nothing secret, internal or of another tenant (ERR-6). */
export type ErrorDetails = Readonly<Record<string, unknown>>

export type ErrorHeaders = Readonly<Record<string, string>>

export type FieldConstraint = Readonly<{
  format?: string
  pattern?: string
  enum?: readonly unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}>

/** `field` is a dot path with array indices (`roles.0`), or '' for the body itself. */
export type FieldError = Readonly<{ field: string; constraint?: FieldConstraint; message: string }>

export type ErrorBody = Readonly<{
  status: ErrorStatus
  code: ErrorCode
  message: string
  details?: ErrorDetails
}>

type ApiErrorOptions = Readonly<{
  details?: ErrorDetails | undefined
  headers?: ErrorHeaders | undefined
  /** The reason, which is logged and not shown to the caller. */
  because?: string | undefined
  /** Replaces the catalogue's sentence where it must name something, such as the supported version. */
  message?: string | undefined
}>

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: ErrorStatus
  readonly details: ErrorDetails | undefined
  readonly headers: ErrorHeaders | undefined
  readonly because: string | undefined

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message)
    this.code = code
    this.status = ERRORS[code].status
    this.details = options.details
    this.headers = options.headers
    this.because = options.because
  }
}

/** Ends the request with this code and rolls everything back. `because` is only logged. */
export function fail(code: ErrorCode, details?: ErrorDetails, because?: string): never {
  throw new ApiError(code, { details, because })
}

/** The most invalid fields that one answer lists. */
export const FIELD_ERRORS_MAX = 100

/**
 * 400 INVALID_INPUT that lists the invalid fields at once (CORE-30). `furtherErrors` counts those beyond the first
 * hundred, so that a small request never has a huge answer.
 */
export function failFields(errors: readonly FieldError[], further: ErrorDetails = {}): never {
  const furtherErrors = errors.length - FIELD_ERRORS_MAX
  const details =
    furtherErrors > 0
      ? { errors: errors.slice(0, FIELD_ERRORS_MAX), furtherErrors, ...further }
      : { errors, ...further }
  throw new ApiError('INVALID_INPUT', { details })
}

/** Fails where there are errors: INVALID_INPUT, or INVALID_UMA_ADDRESS where all are malformed UMA addresses (CUST-19). */
export function mustHaveNoErrors(errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  if (errors.every(({ constraint }) => constraint?.format === 'uma-address'))
    fail('INVALID_UMA_ADDRESS', { errors })
  failFields(errors)
}

/** The first error of a field is the most basic one. */
export function oncePerField(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>()
  return errors.filter(({ field }) => !seen.has(field) && seen.add(field))
}

/** Refuses with `Retry-After`: the request may succeed after that pause (ERR-8). */
export function failRetryLater(
  code: 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'DAILY_VOLUME_LIMIT_EXCEEDED',
  retryAfterSeconds: number,
  details?: ErrorDetails,
): never {
  throw new ApiError(code, { details, headers: retryAfter(retryAfterSeconds) })
}

/** Whole seconds, and at least one, so that no client repeats at once. */
export function retryAfter(seconds: number): ErrorHeaders {
  return { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) }
}

export type Refusal = Readonly<{
  ok: false
  code: ErrorCode
  details?: ErrorDetails
  headers?: ErrorHeaders
}>

/** A refusal to return instead of throwing: the transaction commits, then the error is answered. */
export function refuse(code: ErrorCode, details?: ErrorDetails, headers?: ErrorHeaders): Refusal {
  return { ok: false, code, ...(details && { details }), ...(headers && { headers }) }
}

/** The same error as an exception, for where a returned refusal is answered or must roll back. */
export function refusalToError(refusal: Refusal): ApiError {
  return new ApiError(refusal.code, { details: refusal.details, headers: refusal.headers })
}

/** Throws the refusal of a check, if any. */
export function mustPass(refusal: Refusal | undefined): void {
  if (refusal) throw refusalToError(refusal)
}

/** The error that a check fails with; undefined where it passes. A bug is thrown. */
export function errorOf(check: () => void): ApiError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** The same error with further headers. */
export function withHeaders(error: ApiError, headers: ErrorHeaders): ApiError {
  const { code, details, because, message } = error
  return new ApiError(code, {
    details,
    because,
    message,
    headers: { ...error.headers, ...headers },
  })
}

/** The envelope of every answer from 400 up (ERR-1). */
export function errorToBody(error: ApiError): ErrorBody {
  const { status, code, message, details } = error
  return { status, code, message, ...(details && { details }) }
}
