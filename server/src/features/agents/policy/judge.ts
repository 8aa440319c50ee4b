import { addMs, HOUR_MS, isPast } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { AgentPermission } from '../../../kernel/access/permissions.ts'
import { convertedAmount } from '../../../kernel/money/rate.ts'
import { amountFromWire } from '../../../kernel/money/wire-money.ts'
import { midRate, type Prices } from '../../rates/index.ts'
import type { Movement, ReceivingSide } from '../../payment-terms/index.ts'
import { accountIdOfSide, type Transaction } from '../../transactions/index.ts'
import type { PolicyReason } from '../actions/action.ts'
import type { Agent } from '../record/agent.ts'
import type { Policy } from './policy.ts'
import type { Usage } from './usage.ts'

/** A permitted movement: the amount that counts, and whether it needs the platform's approval. */
export type Permitted = Readonly<{ amount: bigint; needsApproval: boolean }>

type PolicyState = Readonly<{ policy: Policy; usage: Usage; prices: Prices; now: Date }>

type Verdict = (Permitted & Readonly<{ ok: true }>) | Readonly<{ ok: false; reason: PolicyReason }>

/** The amount in another currency, rounded up; undefined without a price (ACT-1). */
function amountIn(money: Money, currency: string, prices: Prices): bigint | undefined {
  const rate = midRate({ sending: money.currency, receiving: currency, prices })
  return rate && convertedAmount(money, rate, 'up')
}

const exceeds = (amount: bigint, limit: number | null | undefined): boolean =>
  typeof limit === 'number' && amount > amountFromWire(limit)

/** Checks accounts, then limits, each inclusive (ACT-2 to ACT-4). An amount without a price exceeds every limit. */
export function judge(judged: PolicyState, movement: Movement): Verdict {
  const { policy, usage, prices } = judged
  const { spendingLimits: limits, accountRestrictions } = policy
  const accountIds = movement.accountIds.map((id) => formatId('internalAccount', id))
  const allowed = accountRestrictions?.allowedAccountIds
  const refused = (reason: PolicyReason): Verdict => ({ ok: false, reason })
  if (allowed && !accountIds.every((id) => allowed.includes(id))) {
    return refused('ACCOUNT_NOT_ALLOWED')
  }
  const rules = rulesFor(accountIds, accountRestrictions?.accountRules)
  const amount = amountIn(movement.money, limits.currency, prices)
  const isTooBig = (limit: number): boolean => amount === undefined || exceeds(amount, limit)
  const eachLimit = rules.map((rule) => rule?.perTransactionLimit ?? limits.perTransactionLimit)
  if (amount === undefined || eachLimit.some(isTooBig)) {
    return refused('PER_TRANSACTION_LIMIT_EXCEEDED')
  }
  const { dailyTransactionLimit } = limits
  if (dailyTransactionLimit !== undefined && usage.dailyCount >= dailyTransactionLimit) {
    return refused('DAILY_TRANSACTION_LIMIT_EXCEEDED')
  }
  if (exceeds(usage.dailySpend + amount, limits.dailyLimit)) return refused('DAILY_LIMIT_EXCEEDED')
  if (exceeds(usage.monthlySpend + amount, limits.monthlyLimit)) {
    return refused('MONTHLY_LIMIT_EXCEEDED')
  }
  return { ok: true, amount, needsApproval: needsApproval(judged, movement) }
}

/** The mode, the amount or a new payee can require approval (ACT-5). */
export function needsApproval(
  { policy, prices, now }: Omit<PolicyState, 'usage'>,
  { accountIds, money, payeeMadeAt }: Movement,
): boolean {
  const { accountRestrictions, approvalThresholds, defaultExecutionMode } = policy
  const ids = accountIds.map((id) => formatId('internalAccount', id))
  const modes = rulesFor(ids, accountRestrictions?.accountRules).map(
    (rule) => rule?.executionMode ?? defaultExecutionMode,
  )
  return (
    modes.includes('APPROVAL_REQUIRED') ||
    isAboveThreshold(approvalThresholds, money, prices) ||
    isNewPayee(approvalThresholds, payeeMadeAt, now)
  )
}

const NEW_PAYEE_HOURS = 24

/** A payee that an agent created is new for `newPayeeHours` (ACT-31). */
function isNewPayee(
  thresholds: Policy['approvalThresholds'],
  madeAt: Date | null,
  now: Date,
): boolean {
  if (madeAt === null) return false
  const hours = thresholds?.newPayeeHours ?? NEW_PAYEE_HOURS
  return !isPast({ deadline: addMs(madeAt, hours * HOUR_MS), now })
}

type AccountRule = NonNullable<NonNullable<Policy['accountRestrictions']>['accountRules']>[number]

/** One rule for each account. Undefined if the general limits apply, as for a payment without an internal account. */
function rulesFor(
  accountIds: readonly string[],
  rules: readonly AccountRule[] = [],
): readonly (AccountRule | undefined)[] {
  if (accountIds.length === 0) return [undefined]
  return accountIds.map((id) => rules.find(({ accountId }) => accountId === id))
}

function isAboveThreshold(
  thresholds: Policy['approvalThresholds'],
  money: Money,
  prices: Prices,
): boolean {
  const { amount: threshold, currency } = thresholds ?? {}
  if (typeof threshold !== 'number' || currency === undefined) return false
  const amount = amountIn(money, currency, prices)
  return amount === undefined || exceeds(amount, threshold)
}

/** Checks a movement against the policy. Fails: FORBIDDEN, with the reason. */
export function mustPermit(judged: PolicyState, movement: Movement): Permitted {
  const verdict = judge(judged, movement)
  return verdict.ok ? verdict : fail('FORBIDDEN', { reason: verdict.reason })
}

/** A paused agent, or one without the permission, cannot act (AGENT-9). Fails: FORBIDDEN, with the reason. */
export function mustHavePermission(
  { isPaused, policy }: Pick<Agent, 'isPaused' | 'policy'>,
  requiredPermission: AgentPermission,
): void {
  if (isPaused) fail('FORBIDDEN', { reason: 'AGENT_PAUSED' })
  if (!policy.permissions.includes(requiredPermission)) {
    fail('FORBIDDEN', { reason: 'PERMISSION_MISSING', requiredPermission })
  }
}

/** The internal accounts of a payment, the amount that leaves, and the age of its payee (ACT-1, ACT-3, ACT-31). */
export function movementOf(
  { source, destination, sent, received }: Transaction,
  receiving: ReceivingSide,
): Movement {
  const accountIds = [source, destination].flatMap(
    (side) => accountIdOfSide('internalAccount', side) ?? [],
  )
  const payeeMadeAt = receiving.kind === 'external' ? receiving.account.madeByAgentAt : null
  return { accountIds, money: sent ?? (received as Money), payeeMadeAt }
}
