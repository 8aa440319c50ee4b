import { ApiError, type ErrorCode } from '../../../kernel/errors.ts'
import { isRetryable, isUnavailable } from '../connection/unavailable.ts'

/**
 * Database constraints that a caller can run into, and the code each stands for. A violation that is not listed is
 * a bug and answers 500.
 */
const CODES: Readonly<Record<string, ErrorCode>> = {
  platforms_proxy_uma_subdomain_unique: 'CONFLICT',
  uma_addresses_held_once: 'UMA_ADDRESS_EXISTS',
}

const RETRY_AFTER_SECONDS = '1'

/**
 * Any failure as the error that is answered; the cause stays with it for the log. What was tried again and again, and
 * conflicted each time, may come later.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error) || isRetryable(error)) {
    const headers = { 'Retry-After': RETRY_AFTER_SECONDS }
    return Object.assign(new ApiError('SERVICE_UNAVAILABLE', { headers }), { cause: error })
  }
  const constraint = (error as { constraint?: unknown } | null)?.constraint
  const code = typeof constraint === 'string' ? CODES[constraint] : undefined
  return Object.assign(new ApiError(code ?? 'INTERNAL_ERROR'), { cause: error })
}
