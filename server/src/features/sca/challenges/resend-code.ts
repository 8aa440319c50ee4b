import { addMs, isPast, SECOND_MS } from '../../../kernel/clock.ts'
import { fail, failRetryLater } from '../../../kernel/errors.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import { saveResend } from './store.ts'
import type { ScaChallenge } from './challenge.ts'
import { sendCode } from './issue-challenge.ts'
import type { ScaCustomer } from '../customers/sca-customer.ts'
import { openSmsCode } from '../secrets.ts'
import { RESEND_PAUSE_MS, RESENDS_MAX } from '../limits.ts'
import { saveSmsSends } from '../customers/store.ts'

/**
 * Sends a new code of an open challenge to the same number; the old code is void, the challenge keeps its expiry
 * (SCA-53). Fails: CONFLICT if no code was sent, RATE_LIMITED, NOT_IMPLEMENTED.
 */
export function resendCode(work: Work, sca: ScaCustomer, challenge: ScaChallenge): void {
  const { tx, platform, now, keyring } = work
  const { id, sms, sentAt, resends, expiresAt } = challenge
  if (sms === null) return fail('CONFLICT', { reason: 'NO_CODE_SENT' })
  invariant(sentAt, 'a code was sent at some time')
  const again = addMs(sentAt, RESEND_PAUSE_MS)
  const secondsUntil = (at: Date): number => (at.getTime() - now.getTime()) / SECOND_MS
  if (resends >= RESENDS_MAX) failRetryLater('RATE_LIMITED', secondsUntil(expiresAt))
  if (!isPast({ deadline: again, now })) failRetryLater('RATE_LIMITED', secondsUntil(again))
  const { to, about } = openSmsCode(keyring, id, sms)
  const sent = sendCode(work, sca, { id, about, to })
  saveSmsSends(tx, platform.id, { customerId: sca.customer.id, smsSentAt: sent.smsSentAt })
  saveResend(tx, platform.id, { id, sms: sent.sms, sentAt: now })
}
