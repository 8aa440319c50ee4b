import { addMs, DAY_MS, isPast } from '../../../kernel/clock.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { AgentPermission } from '../../../kernel/access/permissions.ts'
import { OBSTACLE_REASONS } from '../../payments/index.ts'

export const ACTION_TYPES = ['EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN'] as const
export type ActionType = (typeof ACTION_TYPES)[number]

export const ACTION_STATUSES = ['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'] as const
export type ActionStatus = (typeof ACTION_STATUSES)[number]

/** Why a policy forbids a movement, in the order of the checks (chapter 41, section 5). */
export type PolicyReason =
  | 'AGENT_PAUSED'
  | 'PERMISSION_MISSING'
  | 'ACCOUNT_NOT_ALLOWED'
  | 'PER_TRANSACTION_LIMIT_EXCEEDED'
  | 'DAILY_TRANSACTION_LIMIT_EXCEEDED'
  | 'DAILY_LIMIT_EXCEEDED'
  | 'MONTHLY_LIMIT_EXCEEDED'

export const FAILURE_REASONS = [
  'QUOTE_EXPIRED',
  'QUOTE_NOT_EXECUTABLE',
  'INSUFFICIENT_BALANCE',
  'AGENT_PAUSED',
  'PERMISSION_MISSING',
  'ACCOUNT_NOT_ALLOWED',
  'PER_TRANSACTION_LIMIT_EXCEEDED',
  'DAILY_LIMIT_EXCEEDED',
  'DAILY_TRANSACTION_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
  'APPROVAL_TIMED_OUT',
  ...OBSTACLE_REASONS,
  'SESSION_ENDED',
  'SCA_REQUIRED',
  'EXECUTION_FAILED',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/** The refusal that the platform's own call would have got. */
export type FailureDetails = Readonly<{
  code: ErrorCode
  reason?: string
  accountId?: string
  status?: string
}>

/** A payment that an agent submitted. Its later life is that of its transaction. */
export type Action = Readonly<{
  id: Id<'agentAction'>
  agentId: Id<'agent'>
  customerId: Id<'customer'>
  type: ActionType
  status: ActionStatus
  /** Set from the start (ACT-20); a quote and its transaction share their uuid. */
  transactionId: Id<'transaction'>
  /** The stamp of the paying wallet, kept until the platform decides (ACT-11). */
  walletStamp: string | null
  rejectionReason: string | null
  failureReason: FailureReason | null
  failureDetails: FailureDetails | null
  /** The deadline of the approval; null for an action that needed none. */
  expiresAt: Date | null
  createdAt: Date
  updatedAt: Date
}>

export const PERMISSION_OF: Readonly<Record<ActionType, AgentPermission>> = {
  EXECUTE_QUOTE: 'EXECUTE_QUOTES',
  TRANSFER_OUT: 'CREATE_TRANSFERS',
  TRANSFER_IN: 'CREATE_TRANSFERS',
}

const TRANSFER_LIFETIME_MS = 7 * DAY_MS

/** A quote waits until its price expires, a transfer seven days. */
export const approvalDeadline = (now: Date, quoteExpiresAt: Date | undefined): Date =>
  quoteExpiresAt ?? addMs(now, TRANSFER_LIFETIME_MS)

/** An undecided action has ended at its deadline, whether or not the job that records it has run (ACT-30). */
export const isOverdue = ({ status, expiresAt }: Action, now: Date): boolean =>
  status === 'PENDING_APPROVAL' && expiresAt !== null && isPast({ deadline: expiresAt, now })

export const overdueReason = ({ type }: Pick<Action, 'type'>): FailureReason =>
  type === 'EXECUTE_QUOTE' ? 'QUOTE_EXPIRED' : 'APPROVAL_TIMED_OUT'

/** The action at an instant: failed once it is overdue. */
export function actionAt(action: Action, now: Date): Action {
  if (!isOverdue(action, now)) return action
  const updatedAt = action.expiresAt ?? action.updatedAt
  return { ...action, status: 'FAILED', failureReason: overdueReason(action), updatedAt }
}
