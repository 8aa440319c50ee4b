import { MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { isUnavailable } from '../../db/connection/unavailable.ts'
import type { Deps } from '../../deps.ts'
import { recordSecurityEvent } from '../../work/security-event.ts'
import { createRateLimiter } from './rate-limiter.ts'

/** The most addresses that are recorded in one minute; more are one attack. */
const ADDRESSES_MAX = 1_000

export type RefusedTokens = Readonly<{
  /** Records a refusal in the background, so that the answer does not wait. */
  note(address: string, kind: string): void
}>

/** Writes one audit entry per minute and address, across all processes (OPER-56). */
export function createRefusedTokens(deps: Deps): RefusedTokens {
  const { db, clock, log } = deps
  const perMinute = { ratePerSecond: SECOND_MS / MINUTE_MS, burst: 1 }
  const shared = createRateLimiter(db, clock, perMinute)
  const seen = new Set<string>()
  let minute = 0
  const record = async (address: string, kind: string): Promise<void> => {
    try {
      await shared.take(`refused-token ${address}`)
      await recordSecurityEvent(deps, { action: 'token refused', note: `${kind} from ${address}` })
    } catch (error) {
      const isKnown = error instanceof ApiError || isUnavailable(error)
      if (!isKnown) log.error({ err: error }, 'a refused token was not recorded')
    }
  }
  return {
    note(address, kind) {
      const now = Math.floor(clock.now().getTime() / MINUTE_MS)
      if (now !== minute) seen.clear()
      minute = now
      if (seen.has(address) || seen.size >= ADDRESSES_MAX) return
      seen.add(address)
      void record(address, kind)
    },
  }
}
