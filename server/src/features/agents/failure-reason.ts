import type { ApiError } from '../../kernel/errors.ts'
import { FAILURE_REASONS, type FailureReason } from './action.ts'

const isReason = (text: unknown): text is FailureReason =>
  FAILURE_REASONS.some((reason) => reason === text)

/** Why an approved action could not run, from what its payment was refused with. */
export function failureReasonOf({
  code,
  details,
}: Pick<ApiError, 'code' | 'details'>): FailureReason {
  if (isReason(code)) return code
  const { reason, quoteStatus } = details ?? {}
  if (code === 'FORBIDDEN' && isReason(reason)) return reason
  return code === 'CONFLICT' && quoteStatus !== undefined
    ? 'QUOTE_NOT_EXECUTABLE'
    : 'EXECUTION_FAILED'
}
