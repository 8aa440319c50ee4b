/** The database cannot be reached or is going down: the caller may try again, nothing is wrong with the request. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01', // terminating connection due to administrator command
  '57P02', // crash shutdown
  '57P03', // cannot connect now
  '53300', // too many connections
])

const CONNECTION_MESSAGES =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|connection timeout|Client was closed|not queryable/i

export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && (CONNECTION_CODES.has(code) || code.startsWith('08'))) return true
  return CONNECTION_MESSAGES.test(error.message)
}

const RETRYABLE = new Set(['40001', '40P01'])

/** Constraints that hold a decision made without a lock: somebody was faster, so it is made again. */
const DECIDED_TOO_EARLY = new Set(['daily_volumes_within_limit'])

/** Serialization failures, deadlocks and decisions made too early: the same transaction may simply run again. */
export function isRetryable(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  if (typeof constraint === 'string' && DECIDED_TOO_EARLY.has(constraint)) return true
  return typeof code === 'string' && RETRYABLE.has(code)
}
