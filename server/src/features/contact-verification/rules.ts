import { addMs, isPast, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'

export const CODE_DIGITS = 6
export const CODE_LIFETIME_MS = 10 * MINUTE_MS
export const WRONG_CODES_MAX = 5
const SENDS_MAX = 5
const SENDS_WINDOW_MS = 10 * MINUTE_MS

export type SendVerdict =
  | Readonly<{ ok: true; sentAt: readonly Date[] }>
  | Readonly<{ ok: false; retryAfterSeconds: number }>

/** At most five sends of a channel in any ten minutes (CONT-4). `sentAt`: the latest sends, oldest first. */
export function judgeSend(sentAt: readonly Date[], now: Date): SendVerdict {
  const recent = sentAt.filter((at) => !isPast({ deadline: addMs(at, SENDS_WINDOW_MS), now }))
  const [oldest] = recent
  if (oldest === undefined || recent.length < SENDS_MAX)
    return { ok: true, sentAt: [...recent, now] }
  const waitMs = addMs(oldest, SENDS_WINDOW_MS).getTime() - now.getTime()
  return { ok: false, retryAfterSeconds: waitMs / SECOND_MS }
}

/** The state of the code that was sent. */
export type SentCode = Readonly<{
  /** Null where none was sent or it is void. */
  codeDigest: Buffer | null
  codeExpiresAt: Date | null
  wrongCodes: number
}>

export type CodeObstacle = 'NO_CODE_SENT' | 'TOO_MANY_ATTEMPTS' | 'EXPIRED_CODE'

/** Why any code would be refused now; undefined where the code has to be compared (CONT-6, CONT-7). */
export function findObstacle(sent: SentCode | undefined, now: Date): CodeObstacle | undefined {
  if (!sent?.codeDigest || !sent.codeExpiresAt) return 'NO_CODE_SENT'
  if (sent.wrongCodes >= WRONG_CODES_MAX) return 'TOO_MANY_ATTEMPTS'
  return isPast({ deadline: sent.codeExpiresAt, now }) ? 'EXPIRED_CODE' : undefined
}
