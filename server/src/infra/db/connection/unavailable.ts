import pg from 'pg'

/** The database cannot be reached or cannot serve: the caller may try again, nothing is wrong with the request. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  constructor(cause: unknown) {
    super(`the database is unavailable: ${reasonOf(cause)}`, { cause })
  }
}

/** What the server or the network said. */
export function reasonOf(cause: unknown): string {
  // Where a name has several addresses, what failed at each is inside.
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ')
  const { code, message } = cause as { code?: string; message?: string }
  return [code, message].filter((part) => part !== undefined && part !== '').join(' ')
}

export const isUnavailable = (error: unknown): boolean => error instanceof DatabaseUnavailable

/** The server is there, and has ended a statement that took longer than it may. */
export function isTooSlow(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? {}) as { code?: unknown }
  return isUnavailable(error) && code === '57014'
}

const UNABLE = new Set([
  '57P01', // terminating connection due to administrator command
  '57P02', // crash shutdown
  '57P03', // cannot connect now
  '57P05', // idle session timeout
  '57014', // a statement that took longer than it may
  '53300', // too many connections
  '53100', // disk full
  '53200', // out of memory
  '53400', // configuration limit exceeded
  '58030', // I/O error
  '25P03', // a transaction that was idle for too long
  '25P04', // a transaction that took longer than it may
  '25006', // read-only: a standby, or a disk that is nearly full
])

/**
 * What a connection failed with. Only the server can say that it did not do what it was asked: anything else, whatever
 * its name, leaves open what became of it, a commit included, so nobody may take it for undone and do it again.
 */
export function toFailure(error: Error): Error {
  const isSaidByServer = error instanceof pg.DatabaseError
  const code = isSaidByServer ? (error.code ?? '') : ''
  if (isSaidByServer && !UNABLE.has(code) && !code.startsWith('08')) return error
  return new DatabaseUnavailable(error)
}

/** Serialization failures, deadlocks, and a lock that did not come: two may wait for each other where no server sees it. */
const RETRYABLE = new Set(['40001', '40P01', '55P03'])

/** Constraints that hold a decision made without a lock: somebody was faster, so it is made again. */
const DECIDED_TOO_EARLY = new Set([
  'daily_volumes_within_limit',
  'card_authorizations_decided_once',
  'provider_messages_body_digest_check',
])

/** Also decisions that were made too early: the same transaction may simply run again. */
export function isRetryable(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  if (typeof constraint === 'string' && DECIDED_TOO_EARLY.has(constraint)) return true
  return typeof code === 'string' && RETRYABLE.has(code)
}
