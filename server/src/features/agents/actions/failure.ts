import type { ApiError, ErrorCode } from '../../../kernel/errors.ts'
import type { Obstacle } from '../../payments/index.ts'
import type { OutgoingFailureReason } from '../../../kernel/failure-reasons.ts'
import { FAILURE_REASONS, type FailureDetails, type FailureReason } from './action.ts'

/** Why an approved action could not run, and the reason that its payment gets. */
export type ActionFailure = Readonly<{
  failureReason: FailureReason
  failureDetails: FailureDetails | null
  paymentReason: OutgoingFailureReason
}>

/** The failure for an obstacle that the second check of a waiting payment found (ACT-21). */
export const failureByObstacle = ({ reason, failureReason, refusal }: Obstacle): ActionFailure => ({
  failureReason: reason,
  failureDetails: detailsOf(refusal),
  paymentReason: failureReason,
})

/** The failure for a refusal of the policy or the payment. Only the latter has details, which the platform's own calls know. */
export function failureByRefusal(refusal: ApiError): ActionFailure {
  const failureReason = reasonOf(refusal)
  const paymentReason =
    failureReason === 'LIMIT_EXCEEDED' ? 'LIMIT_EXCEEDED' : 'QUOTE_EXECUTION_FAILED'
  const failureDetails = refusal.code === 'FORBIDDEN' ? null : detailsOf(refusal)
  return { failureReason, failureDetails, paymentReason }
}

const REASON_OF: Readonly<Partial<Record<ErrorCode, FailureReason>>> = {
  // The stamp was valid at submission, so only its session can have ended (ACT-11).
  WALLET_SIGNATURE_INVALID: 'SESSION_ENDED',
  SCA_SESSION_REQUIRED: 'SCA_REQUIRED',
  // Another payment may have used up the daily limit since the re-check.
  DAILY_VOLUME_LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
}

const isReason = (text: unknown): text is FailureReason =>
  FAILURE_REASONS.some((reason) => reason === text)

function reasonOf({ code, details }: ApiError): FailureReason {
  if (isReason(code)) return code
  const { reason, quoteStatus } = details ?? {}
  const isNamed = code === 'FORBIDDEN' || code === 'CONFLICT'
  if (isNamed && isReason(reason)) return reason
  if (code === 'CONFLICT' && quoteStatus !== undefined) return 'QUOTE_NOT_EXECUTABLE'
  return REASON_OF[code] ?? 'EXECUTION_FAILED'
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

function detailsOf({ code, details = {} }: ApiError): FailureDetails {
  const reason = textOf(details['reason'])
  const accountId = textOf(details['accountId'])
  const status = textOf(details['status'] ?? details['accountStatus'])
  return {
    code,
    ...(reason !== undefined && { reason }),
    ...(accountId !== undefined && { accountId }),
    ...(status !== undefined && { status }),
  }
}
