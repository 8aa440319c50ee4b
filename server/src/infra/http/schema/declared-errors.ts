import type { ErrorCode } from '../../../kernel/errors.ts'
import { takesKey, type Operation } from '../operation.ts'

const EVERY_OPERATION: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]

/** The codes that an operation declares, and those that follow from its body, key or port. */
export function declaredErrors(operation: Operation): ErrorCode[] {
  const { errors = [], body, requires } = operation
  const implied: ErrorCode[] = [
    ...(body ? (['INVALID_REQUEST_FORMAT'] as const) : []),
    ...(requires ? (['NOT_IMPLEMENTED'] as const) : []),
    ...(takesKey(operation) ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE'] as const) : []),
  ]
  return [...new Set([...errors, ...implied, ...EVERY_OPERATION])]
}
