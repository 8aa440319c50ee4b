import type { Work } from '../../../infra/work.ts'
import { findClearings, saveClearings } from './clearing-store.ts'
import type { ScaCustomer } from '../customers/sca-customer.ts'
import { isSuspended } from '../customers/security-state.ts'
import { CLEARING_LIMITS, judgeLimits } from '../sending-limits.ts'

/**
 * Whether a new password at the platform may clear the failed attempts of a locked customer; if so it is remembered.
 * The platform's word alone would let codes be guessed for ever, so it counts three times a day, and once more after a
 * completed factor reset; it never lifts a suspension (SCA-28). Where nothing is to be cleared nothing is used up.
 */
export async function takeClearing(
  { tx, platform, now }: Work,
  { customer: { id: customerId }, security }: ScaCustomer,
): Promise<boolean> {
  if (security.failedAttempts === 0 || isSuspended(security)) return false
  const { clearedAt, resetCompletedAt } = await findClearings(tx, platform.id, customerId)
  const verdict = judgeLimits(CLEARING_LIMITS, { times: clearedAt, now })
  const last = clearedAt.at(-1)
  const isReset = resetCompletedAt !== null && (last === undefined || resetCompletedAt > last)
  if (!verdict.ok && !isReset) return false
  const times = verdict.ok ? verdict.times : [...clearedAt, now]
  saveClearings(tx, platform.id, { customerId, clearedAt: times })
  return true
}
