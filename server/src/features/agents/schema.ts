import { Type, type Static } from '../../infra/http/schema/type.ts'
import { AMOUNT_MAX } from '../../kernel/money/money.ts'
import { AGENT_PERMISSIONS } from '../../kernel/access/permissions.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import {
  clearable,
  idField,
  listOf,
  named,
  object,
  oneOf,
  pageQuery,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { QuoteSchema } from '../quotes/index.ts'
import { TransactionSchema } from '../transactions/index.ts'
import { ACTION_STATUSES, ACTION_TYPES, FAILURE_REASONS } from './actions/action.ts'

export const REASON_LENGTH_MAX = 1000
const NEW_PAYEE_HOURS_MAX = 8_760

const PermissionSchema = named('AgentPermission', oneOf(AGENT_PERMISSIONS))
const ExecutionModeSchema = named('AgentExecutionMode', oneOf(['AUTO', 'APPROVAL_REQUIRED']))

/** A limit of zero blocks every payment (AGENT-4). */
const limit = (options: { description?: string } = {}) =>
  Type.Integer({ minimum: 0, maximum: amountToWire(AMOUNT_MAX), ...options })

const limits = {
  currency: Type.String({ description: "One of the platform's; all limits are in it." }),
  perTransactionLimit: limit(),
  dailyLimit: clearable(limit()),
  dailyTransactionLimit: Type.Optional(limit()),
  monthlyLimit: clearable(limit()),
}

const SpendingLimitsSchema = object('AgentSpendingLimits', limits)

const SpendingLimitsUpdateSchema = object('AgentSpendingLimitsUpdate', {
  ...limits,
  currency: Type.Optional(limits.currency),
  perTransactionLimit: Type.Optional(limits.perTransactionLimit),
  // Null lifts a limit (CORE-7).
  dailyTransactionLimit: clearable(limit()),
})

const AccountRulesSchema = Type.Array(
  object('AgentAccountRule', {
    accountId: idField('internalAccount'),
    executionMode: Type.Optional(ExecutionModeSchema),
    perTransactionLimit: clearable(limit({ description: 'In place of the general one.' })),
  }),
)

const AccountRestrictionsSchema = object('AgentAccountRestrictions', {
  allowedAccountIds: clearable(Type.Array(idField('internalAccount'))),
  accountRules: Type.Optional(AccountRulesSchema),
})

const ApprovalThresholdsSchema = object('AgentApprovalThresholds', {
  currency: Type.Optional(Type.String()),
  amount: clearable(limit()),
  newPayeeHours: clearable(Type.Integer({ minimum: 0, maximum: NEW_PAYEE_HOURS_MAX })),
})

const restrictions = {
  accountRestrictions: Type.Optional(AccountRestrictionsSchema),
  approvalThresholds: Type.Optional(ApprovalThresholdsSchema),
}

const AgentPolicySchema = object('AgentPolicy', {
  permissions: Type.Array(PermissionSchema),
  defaultExecutionMode: ExecutionModeSchema,
  spendingLimits: SpendingLimitsSchema,
  ...restrictions,
})

export type AgentPolicyBody = Static<typeof AgentPolicySchema>

export const AgentPolicyUpdateSchema = object('AgentPolicyUpdateRequest', {
  permissions: Type.Optional(Type.Array(PermissionSchema)),
  defaultExecutionMode: Type.Optional(ExecutionModeSchema),
  spendingLimits: Type.Optional(SpendingLimitsUpdateSchema),
  accountRestrictions: clearable(
    object('AgentAccountRestrictionsUpdate', {
      ...AccountRestrictionsSchema.properties,
      accountRules: clearable(AccountRulesSchema),
    }),
  ),
  approvalThresholds: clearable(
    object('AgentApprovalThresholdsUpdate', {
      ...ApprovalThresholdsSchema.properties,
      currency: clearable(Type.String()),
    }),
  ),
})

export type AgentPolicyUpdate = Static<typeof AgentPolicyUpdateSchema>

const name = Type.String({
  minLength: 1,
  description: '1 to 255 characters after trimming, no control characters.',
})

export const AgentCreateSchema = object('AgentCreateRequest', {
  name,
  customerId: idField('customer', 'Whom it acts for, for good.'),
  policy: AgentPolicySchema,
})

export const AgentUpdateSchema = object('AgentUpdateRequest', {
  name: Type.Optional(name),
  isPaused: Type.Optional(Type.Boolean()),
})

const spend = Type.Integer({ minimum: 0 })

const AgentUsageSchema = object('AgentUsage', {
  dailyTransactionCount: Type.Integer({ minimum: 0 }),
  dailySpend: spend,
  dailyResetDate: Type.Optional(Type.String({ format: 'date' })),
  monthlySpend: spend,
  monthlyResetMonth: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
})

export const AgentSchema = object('Agent', {
  id: idField('agent'),
  name: Type.String(),
  customerId: idField('customer'),
  isPaused: Type.Boolean(),
  isConnected: Type.Boolean(),
  policy: AgentPolicySchema,
  usage: AgentUsageSchema,
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

export type AgentBody = Static<typeof AgentSchema>

export const AgentListSchema = listOf('AgentListResponse', AgentSchema, { total: true })

export const DeviceCodeSchema = object('AgentDeviceCode', {
  code: Type.String(),
  agentId: idField('agent'),
  expiresAt: timestamp(),
  redeemed: Type.Boolean(),
})

export const AgentCreateResponseSchema = object('AgentCreateResponse', {
  agent: AgentSchema,
  deviceCode: DeviceCodeSchema,
})

export const DeviceCodeStatusSchema = object('AgentDeviceCodeStatusResponse', {
  code: Type.String(),
  redeemed: Type.Boolean(),
})

export const RedeemedSchema = object('AgentDeviceCodeRedeemResponse', {
  agentId: idField('agent'),
  agentName: Type.String(),
  accessToken: Type.String(),
  policy: AgentPolicySchema,
})

const ActionStatusSchema = named('AgentActionStatus', oneOf(ACTION_STATUSES))

export const ActionSchema = object('AgentAction', {
  id: idField('agentAction'),
  agentId: idField('agent'),
  customerId: idField('customer'),
  platformCustomerId: Type.String(),
  status: ActionStatusSchema,
  type: named('AgentActionType', oneOf(ACTION_TYPES)),
  quote: Type.Optional(QuoteSchema),
  transferDetails: Type.Optional(
    object('AgentTransferDetails', {
      amount: Type.Integer({ format: 'int64' }),
      currency: Type.String(),
      sourceAccountId: Type.String(),
      destinationAccountId: Type.String(),
    }),
  ),
  transaction: Type.Optional(TransactionSchema),
  transactionId: idField('transaction', 'There from the start; embedded from approval on.'),
  rejectionReason: Type.Optional(Type.String()),
  failureReason: Type.Optional(oneOf(FAILURE_REASONS)),
  failureDetails: Type.Optional(
    object('AgentActionFailure', {
      code: Type.String(),
      reason: Type.Optional(Type.String()),
      accountId: Type.Optional(Type.String()),
      status: Type.Optional(Type.String()),
    }),
  ),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

export type ActionBody = Static<typeof ActionSchema>

export const ActionListSchema = listOf('AgentActionListResponse', ActionSchema, { total: true })

export const ActionRejectSchema = object('AgentActionRejectRequest', {
  reason: Type.Optional(Type.String({ maxLength: REASON_LENGTH_MAX })),
})

const instant = Type.Optional(timestamp())

export const AgentsQuerySchema = Type.Object({
  customerId: Type.Optional(idField('customer')),
  isPaused: Type.Optional(Type.Boolean()),
  isConnected: Type.Optional(Type.Boolean()),
  createdAfter: instant,
  createdBefore: instant,
  updatedAfter: instant,
  updatedBefore: instant,
  ...pageQuery,
})

export type AgentsQuery = Static<typeof AgentsQuerySchema>

export const ApprovalsQuerySchema = Type.Object({
  agentId: Type.Optional(idField('agent')),
  customerId: Type.Optional(idField('customer')),
  status: Type.Optional(ActionStatusSchema),
  startDate: instant,
  endDate: instant,
  ...pageQuery,
  sortOrder: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
})

export type ApprovalsQuery = Static<typeof ApprovalsQuerySchema>

export const OwnActionsQuerySchema = Type.Object({
  status: Type.Optional(ActionStatusSchema),
  ...pageQuery,
})

export type OwnActionsQuery = Static<typeof OwnActionsQuerySchema>
