import { addMs, DAY_MS, isPast } from '../../../kernel/clock.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { AgentPermission } from '../../../kernel/permissions.ts'
import { OBSTACLE_REASONS } from '../../transactions/index.ts'

export const ACTION_TYPES = ['EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN'] as const
export type ActionType = (typeof ACTION_TYPES)[number]

export const ACTION_STATUSES = ['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'] as const
export type ActionStatus = (typeof ACTION_STATUSES)[number]

/** Why a policy forbids a movement, in the order in which it is asked (chapter 41, section 5). */
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

/** A movement of money that an agent asked for. What becomes of it later is its transaction's to say. */
export type Action = Readonly<{
  id: Id<'agentAction'>
  agentId: Id<'agent'>
  customerId: Id<'customer'>
  type: ActionType
  status: ActionStatus
  /** There from the start (ACT-20). Of a quote it has the quote's uuid. */
  transactionId: Id<'transaction'>
  /** ACT-11: the stamp of the wallet that pays, kept until the platform decides. */
  walletStamp: string | null
  rejectionReason: string | null
  failureReason: FailureReason | null
  failureDetails: FailureDetails | null
  /** Until when it waits for approval; null of one that never waited. */
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

/** Until when an action of now waits: a quote's as long as its price holds, any other seven days. */
export const waitsUntil = (now: Date, quoteExpiresAt: Date | undefined): Date =>
  quoteExpiresAt ?? addMs(now, TRANSFER_LIFETIME_MS)

/** ACT-30: one that nobody decided on in time has ended, whether or not the job that ends it ran. */
export const isOverdue = ({ status, expiresAt }: Action, now: Date): boolean =>
  status === 'PENDING_APPROVAL' && expiresAt !== null && isPast({ deadline: expiresAt, now })

/** Why an action ends that nobody decided on. */
export const overdueReason = ({ type }: Pick<Action, 'type'>): FailureReason =>
  type === 'EXECUTE_QUOTE' ? 'QUOTE_EXPIRED' : 'APPROVAL_TIMED_OUT'

/** An action as it is at an instant. */
export function actionAt(action: Action, now: Date): Action {
  if (!isOverdue(action, now)) return action
  const updatedAt = action.expiresAt ?? action.updatedAt
  return { ...action, status: 'FAILED', failureReason: overdueReason(action), updatedAt }
}
