import { digestSecret, newSecret } from '../../../crypto/secret-hash.ts'
import { mustBeWithinLimits } from '../../../kernel/access/attempt-limits.ts'
import { addMs, DAY_MS } from '../../../kernel/clock.ts'
import { newId, type Id } from '../../../kernel/ids.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { announceChange } from '../notices/announce-change.ts'
import type { ScaFactor } from '../factors/factor.ts'
import { moveResetJob, type ResetMove } from '../job-definitions.ts'
import { scaReset } from './machine.ts'
import { expireResets, insertReset, listResetStarts, type ScaReset } from './store.ts'
import { RESET_LIFETIME_MS, SANDBOX_DECIDE_DELAY_MS, SANDBOX_SUBMIT_DELAY_MS } from './reset.ts'
import { lockScaCustomer } from '../customers/sca-customer.ts'
import { RESET_LIMITS } from '../limits.ts'
import { mustBeAvailable } from '../logins/start-login.ts'

export type StartedReset = Readonly<{ reset: ScaReset; secret: string; verificationLink: string }>

/**
 * Begins a reset of a factor and expires an unfinished one of the same factor (SCA-32). The secret of the link is shown
 * once. Fails: USER_NOT_FOUND, CONFLICT, INVALID_INPUT (factor not available), RATE_LIMITED (SCA-31).
 */
export async function startReset(
  work: Work,
  { customerId, factor }: { customerId: Id<'customer'>; factor: ScaFactor },
): Promise<StartedReset> {
  const { tx, platform, now, settings } = work
  const sca = await lockScaCustomer(work, customerId)
  mustBeAvailable(sca, factor)
  const since = addMs(now, -DAY_MS)
  const times = await listResetStarts(tx, platform.id, { customerId, since })
  mustBeWithinLimits(RESET_LIMITS, { times, now })
  const secret = newSecret()
  const reset: ScaReset = {
    id: newId('scaReset'),
    customerId,
    factor,
    status: scaReset.initial,
    createdAt: now,
    expiresAt: addMs(now, RESET_LIFETIME_MS),
    completedAt: null,
    enrolledAt: null,
  }
  expireResets(tx, platform.id, { customerId, factor })
  insertReset(tx, platform.id, { ...reset, linkDigest: digestSecret(secret) })
  scheduleMoves(work, reset)
  announceChange(work, sca.customer, { change: 'RESET_STARTED', factor })
  return { reset, secret, verificationLink: `${settings.publicUrl}/sca-reset?token=${secret}` }
}

/** Schedules the expiry; in the sandbox also submission and decision. */
function scheduleMoves(work: Work, { id, createdAt, expiresAt }: ScaReset): void {
  const plan = (move: ResetMove, dueAt: Date): void =>
    enqueue(work, moveResetJob, { resetId: id, move }, { dueAt })
  plan('expire', expiresAt)
  if (!traitsOf(work.platform).decidesByItself) return
  plan('submit', addMs(createdAt, SANDBOX_SUBMIT_DELAY_MS))
  plan('decide', addMs(createdAt, SANDBOX_DECIDE_DELAY_MS))
}
