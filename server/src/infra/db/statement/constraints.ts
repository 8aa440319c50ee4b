import { ApiError, retryAfter, type ErrorCode } from '../../../kernel/errors.ts'
import { isRetryable, isUnavailable } from '../connection/unavailable.ts'

/**
 * Database constraints that a caller can violate, with their error codes. Any other violation is a bug and answered with
 * 500.
 */
const CODES: Readonly<Record<string, ErrorCode>> = {
  platforms_proxy_uma_subdomain_unique: 'CONFLICT',
  uma_addresses_held_once: 'UMA_ADDRESS_EXISTS',
}

/** The error that is answered for any failure, with its cause for the log. An exhausted retry is SERVICE_UNAVAILABLE. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error) || isRetryable(error)) {
    const headers = retryAfter(1)
    return Object.assign(new ApiError('SERVICE_UNAVAILABLE', { headers }), { cause: error })
  }
  const constraint = (error as { constraint?: unknown } | null)?.constraint
  const code = typeof constraint === 'string' ? CODES[constraint] : undefined
  return Object.assign(new ApiError(code ?? 'INTERNAL_ERROR'), { cause: error })
}
