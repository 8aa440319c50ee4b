import { addMs, HOUR_MS, isPast } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId, parseId, type Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money.ts'
import type { AgentPermission } from '../../../kernel/permissions.ts'
import { convertedAmount } from '../../../kernel/rate.ts'
import { amountFromWire } from '../../../kernel/wire-money.ts'
import { midRate, type Prices } from '../../rates/index.ts'
import type { Movement, ReceivingSide, Transaction } from '../../transactions/index.ts'
import type { PolicyReason } from '../actions/action.ts'
import type { Agent } from '../record/agent.ts'
import type { Policy } from './policy.ts'
import type { Usage } from './usage.ts'

/** A movement that the policy permits: what it counts as, and whether the platform has to agree. */
export type Permitted = Readonly<{ amount: bigint; needsApproval: boolean }>

type Judged = Readonly<{ policy: Policy; usage: Usage; prices: Prices; now: Date }>

type Verdict = (Permitted & Readonly<{ ok: true }>) | Readonly<{ ok: false; reason: PolicyReason }>

/** ACT-1: in another currency, rounded up; undefined where there is no price to say so. */
function worth(money: Money, currency: string, prices: Prices): bigint | undefined {
  const rate = midRate({ sending: money.currency, receiving: currency, prices })
  return rate && convertedAmount(money, rate, 'up')
}

const exceeds = (amount: bigint, limit: number | null | undefined): boolean =>
  typeof limit === 'number' && amount > amountFromWire(limit)

/** Section 5: accounts, then limits, each inclusive (ACT-2 to ACT-4); what has no price is not shown to be small. */
export function judge(judged: Judged, movement: Movement): Verdict {
  const { policy, usage, prices } = judged
  const { spendingLimits: limits, accountRestrictions } = policy
  const accountIds = movement.accountIds.map((id) => formatId('internalAccount', id))
  const allowed = accountRestrictions?.allowedAccountIds
  const refused = (reason: PolicyReason): Verdict => ({ ok: false, reason })
  if (allowed && !accountIds.every((id) => allowed.includes(id))) {
    return refused('ACCOUNT_NOT_ALLOWED')
  }
  const rules = rulesFor(accountIds, accountRestrictions?.accountRules)
  const amount = worth(movement.money, limits.currency, prices)
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

/** ACT-5: whether the platform has to agree: by the mode, the amount or the payee. */
export function needsApproval(
  { policy, prices, now }: Omit<Judged, 'usage'>,
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

/** ACT-31: from `newPayeeHours` after it was made on, an agent's payee is like any other. */
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

/** One for each account, undefined where the general one holds: also of what is pulled from outside to outside. */
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
  const amount = worth(money, currency, prices)
  return amount === undefined || exceeds(amount, threshold)
}

/** Whether the policy lets the movement happen. Fails: FORBIDDEN, with the reason. */
export function mustPermit(judged: Judged, movement: Movement): Permitted {
  const verdict = judge(judged, movement)
  return verdict.ok ? verdict : fail('FORBIDDEN', { reason: verdict.reason })
}

/** AGENT-9: whether the agent may act at all, and so. Fails: FORBIDDEN, with the reason. */
export function mustMay(
  { isPaused, policy }: Pick<Agent, 'isPaused' | 'policy'>,
  requiredPermission: AgentPermission,
): void {
  if (isPaused) fail('FORBIDDEN', { reason: 'AGENT_PAUSED' })
  if (!policy.permissions.includes(requiredPermission)) {
    fail('FORBIDDEN', { reason: 'PERMISSION_MISSING', requiredPermission })
  }
}

/** ACT-1, ACT-3, ACT-31: the internal accounts that a payment touches, what leaves, and how new its payee is. */
export function movementOf(
  { source, destination, sent, received }: Transaction,
  receiving: ReceivingSide,
): Movement {
  const accountIds = [source, destination].flatMap((side): Id<'internalAccount'>[] => {
    const id = 'accountId' in side ? parseId('internalAccount', side.accountId) : undefined
    return id ? [id] : []
  })
  const payeeMadeAt = receiving.kind === 'external' ? receiving.account.madeByAgentAt : null
  return { accountIds, money: sent ?? (received as Money), payeeMadeAt }
}
