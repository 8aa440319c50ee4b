import pg from 'pg'

/** The database cannot be reached or cannot serve. The request itself is right and may be retried. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  constructor(cause: unknown) {
    super(`the database is unavailable: ${reasonOf(cause)}`, { cause })
  }
}

/** The message of the server or the network, with its code. */
export function reasonOf(cause: unknown): string {
  // For a host name with several addresses, it has one error for each.
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ')
  const { code, message } = cause as { code?: string; message?: string }
  return [code, message].filter((part) => part !== undefined && part !== '').join(' ')
}

export const isUnavailable = (error: unknown): boolean => error instanceof DatabaseUnavailable

/** Whether the server has cancelled a statement that took too long. */
export function isTooSlow(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? {}) as { code?: unknown }
  return isUnavailable(error) && code === '57014'
}

const UNABLE = new Set([
  '57P01', // terminating connection due to administrator command
  '57P02', // crash shutdown
  '57P03', // cannot connect now
  '57P05', // idle session timeout
  '57014', // statement timeout
  '53300', // too many connections
  '53100', // disk full
  '53200', // out of memory
  '53400', // configuration limit exceeded
  '58030', // I/O error
  '25P03', // idle-in-transaction timeout
  '25P04', // transaction timeout
  '25006', // read-only: a standby, or a disk that is nearly full
])

/**
 * The error of a failed statement. Only an error of the server proves that a statement was not run. After any other error
 * its outcome is unknown, also that of a commit, so it becomes DatabaseUnavailable and is not retried.
 */
export function toFailure(error: Error): Error {
  const isFromServer = error instanceof pg.DatabaseError
  const code = isFromServer ? (error.code ?? '') : ''
  if (isFromServer && !UNABLE.has(code) && !code.startsWith('08')) return error
  return new DatabaseUnavailable(error)
}

/** Serialization failures, deadlocks and lock timeouts: a deadlock may involve locks that the server does not see. */
const RETRYABLE = new Set(['40001', '40P01', '55P03'])

/** Constraints that guard decisions made without a lock: a concurrent transaction won, so the decision is made again. */
const LOST_RACES = new Set([
  'daily_volumes_within_limit',
  'card_authorizations_decided_once',
  'provider_messages_body_digest_check',
])

/** Whether the same transaction may simply run again. */
export function isRetryable(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  if (typeof constraint === 'string' && LOST_RACES.has(constraint)) return true
  return typeof code === 'string' && RETRYABLE.has(code)
}
