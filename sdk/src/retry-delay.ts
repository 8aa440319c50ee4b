const FIRST_MS = 250
const LONGEST_MS = 8_000
/** A longer wait is the caller's to decide about. */
const RETRY_AFTER_MAX_SECONDS = 60

const WORD_MAX = 0xffff_ffff

/** Half of the delay is left to chance, so that many clients do not come back together. */
export function backOffMs(attempts: number): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
  const fullMs = Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS)
  return fullMs / 2 + (fullMs / 2) * (word / WORD_MAX)
}

/** What became of one attempt; a status of 0 means that no answer came. */
export type Attempted = Readonly<{
  status: number
  code: string | undefined
  retryAfterSeconds: number | undefined
  /** The request can be repeated without doing its work twice. */
  isRepeatable: boolean
  /** How often it has been sent. */
  attempts: number
}>

/**
 * How long to wait before the next attempt; undefined where there must be none. Nothing is repeated but what the
 * service asks to be repeated, and what never got an answer. A 503 may come after the work was done: when the service
 * lost its database just then, it does not know either.
 */
export function retryDelayMs({
  status,
  code,
  retryAfterSeconds,
  isRepeatable,
  attempts,
}: Attempted): number | undefined {
  if (!isRepeatable && (status === 0 || status === 503)) return undefined
  if (status === 0) return backOffMs(attempts)
  if (status === 409 && code === 'IDEMPOTENCY_KEY_IN_USE') return backOffMs(attempts)
  if (status !== 429 && status !== 503) return undefined
  if (retryAfterSeconds === undefined || retryAfterSeconds > RETRY_AFTER_MAX_SECONDS) {
    return undefined
  }
  return Math.max(retryAfterSeconds * 1_000, backOffMs(attempts))
}
