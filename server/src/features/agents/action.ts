import type { Id } from '../../kernel/ids.ts'
import type { AgentPermission } from '../../kernel/permissions.ts'

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
  'EXECUTION_FAILED',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

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
  createdAt: Date
  updatedAt: Date
}>

export const PERMISSION_OF: Readonly<Record<ActionType, AgentPermission>> = {
  EXECUTE_QUOTE: 'EXECUTE_QUOTES',
  TRANSFER_OUT: 'CREATE_TRANSFERS',
  TRANSFER_IN: 'CREATE_TRANSFERS',
}
