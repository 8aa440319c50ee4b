import { failRetryLater } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { judgeLimits, TRUST_FAILURE_LIMITS } from '../sending-limits.ts'
import { readTrustFailures } from '../customers/store.ts'

/** When a customer's proofs were wrong, were this one so too: what is to be remembered then. */
export type TrustFailures = readonly Date[]

/**
 * Whether a locked customer may still be asked to prove a change of trust. A wrong proof of one is no failed login and a
 * new challenge costs nothing, so without a limit of their own an app's codes could be guessed. Fails: RATE_LIMITED.
 */
export async function mustBeFreeToProveTrust(
  { tx, platform, now }: Pick<Work, 'tx' | 'platform' | 'now'>,
  customerId: Id<'customer'>,
): Promise<TrustFailures> {
  const times = await readTrustFailures(tx, platform.id, customerId)
  const verdict = judgeLimits(TRUST_FAILURE_LIMITS, { times, now })
  return verdict.ok ? verdict.times : failRetryLater('RATE_LIMITED', verdict.retryAfterSeconds)
}
