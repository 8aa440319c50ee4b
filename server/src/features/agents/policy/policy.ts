import type { FieldError } from '../../../kernel/errors.ts'
import { isCurrencyCode } from '../../../kernel/money/currency.ts'
import { convertedAmount } from '../../../kernel/money/rate.ts'
import type { Rate } from '../../../kernel/money/rate.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import { amountFromWire, amountToWire } from '../../../kernel/money/wire-money.ts'
import type { AgentPolicyBody, AgentPolicyUpdate } from '../schema.ts'

/** The permissions and limits of an agent, in the form of the API; unset fields are absent. */
export type Policy = AgentPolicyBody

type Limits = Policy['spendingLimits']

/** Leaves out null fields, which are unset (CORE-7). */
function withoutNulls<T extends object>(fields: T): T {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return Object.fromEntries(entries) as T
}

/** Drops unknown fields and repeated permissions. */
export function toPolicy(body: AgentPolicyBody): Policy {
  const { permissions, defaultExecutionMode, spendingLimits, accountRestrictions } = body
  const { currency, perTransactionLimit, dailyLimit, dailyTransactionLimit, monthlyLimit } =
    spendingLimits
  const thresholds = body.approvalThresholds
  return withoutNulls({
    permissions: [...new Set(permissions)],
    defaultExecutionMode,
    spendingLimits: withoutNulls({
      currency,
      perTransactionLimit,
      dailyLimit,
      dailyTransactionLimit,
      monthlyLimit,
    }) as Limits,
    accountRestrictions: accountRestrictions && toRestrictions(accountRestrictions),
    approvalThresholds:
      thresholds &&
      withoutNulls({
        currency: thresholds.currency,
        amount: thresholds.amount,
        newPayeeHours: thresholds.newPayeeHours,
      }),
  }) as Policy
}

function toRestrictions({
  allowedAccountIds,
  accountRules,
}: NonNullable<AgentPolicyBody['accountRestrictions']>) {
  return withoutNulls({
    allowedAccountIds: allowedAccountIds && [...new Set(allowedAccountIds)],
    accountRules: accountRules?.map(({ accountId, executionMode, perTransactionLimit }) =>
      withoutNulls({ accountId, executionMode, perTransactionLimit }),
    ),
  })
}

/** Lists replace as wholes, objects merge key by key, null clears (AGENT-6). */
export function mergePolicy(before: Policy, update: AgentPolicyUpdate): Policy {
  const { permissions, defaultExecutionMode } = update
  const { spendingLimits, accountRestrictions, approvalThresholds } = update
  return toPolicy({
    ...before,
    ...(permissions && { permissions }),
    ...(defaultExecutionMode && { defaultExecutionMode }),
    spendingLimits: { ...before.spendingLimits, ...spendingLimits },
    accountRestrictions: mergeObject(before.accountRestrictions, accountRestrictions),
    approvalThresholds: mergeObject(before.approvalThresholds, approvalThresholds),
  } as AgentPolicyBody)
}

const mergeObject = (before: object | undefined, update: object | null | undefined) =>
  update === null ? undefined : update ? { ...before, ...update } : before

/**
 * Converts the limits into another currency, rounded down; limits in the update are in that currency already (AGENT-7).
 * A limit that does not fit becomes one above the largest amount, which `sizeErrors` reports.
 */
export function convertPolicy(before: Policy, update: AgentPolicyUpdate, rate: Rate): Policy {
  const inNew = (amount: number): number => {
    const money = { amount: amountFromWire(amount), currency: rate.from }
    const converted = convertedAmount(money, rate, 'down')
    return amountToWire(converted > AMOUNT_MAX ? AMOUNT_MAX + 1n : converted)
  }
  const { perTransactionLimit, dailyLimit, monthlyLimit } = before.spendingLimits
  const rules = before.accountRestrictions?.accountRules
  const converted = {
    ...before,
    spendingLimits: {
      ...before.spendingLimits,
      perTransactionLimit: inNew(perTransactionLimit),
      ...(typeof dailyLimit === 'number' && { dailyLimit: inNew(dailyLimit) }),
      ...(typeof monthlyLimit === 'number' && { monthlyLimit: inNew(monthlyLimit) }),
    },
    ...(rules && {
      accountRestrictions: {
        ...before.accountRestrictions,
        accountRules: rules.map((rule) =>
          typeof rule.perTransactionLimit === 'number'
            ? { ...rule, perTransactionLimit: inNew(rule.perTransactionLimit) }
            : rule,
        ),
      },
    }),
  }
  return mergePolicy(converted, update)
}

/** Reports converted limits above the largest amount (AGENT-4, AGENT-7, CORE-6). */
export function sizeErrors({ spendingLimits, accountRestrictions }: Policy): FieldError[] {
  const { perTransactionLimit, dailyLimit, monthlyLimit } = spendingLimits
  const limits = Object.entries({ perTransactionLimit, dailyLimit, monthlyLimit })
  const maximum = amountToWire(AMOUNT_MAX)
  return [
    ...limits.map(([name, limit]) => ({ field: `spendingLimits.${name}`, limit })),
    ...(accountRestrictions?.accountRules ?? []).map((rule, index) => ({
      field: `accountRestrictions.accountRules.${index}.perTransactionLimit`,
      limit: rule.perTransactionLimit,
    })),
  ]
    .filter(({ limit }) => typeof limit === 'number' && limit > maximum)
    .map(({ field }) => ({
      field,
      constraint: { maximum },
      message: `would be above ${maximum} in that currency; set it again`,
    }))
}

type Fields = Readonly<Record<string, unknown>>

/** Checks that a schema cannot express; `at` prefixes the fields (AGENT-4, AGENT-5). Accepts unvalidated input. */
export function policyErrors(policy: unknown, { at }: { at: string }): FieldError[] {
  const { approvalThresholds, accountRestrictions } = Object(policy) as Fields
  const { accountRules } = Object(accountRestrictions) as Fields
  return [
    ...thresholdErrors(Object(approvalThresholds) as Fields, at),
    ...ruleErrors(accountRules, at),
  ]
}

function thresholdErrors({ amount, currency }: Fields, at: string): FieldError[] {
  const field = `${at}approvalThresholds.currency`
  if (typeof amount === 'number' && (currency === undefined || currency === null)) {
    return [{ field, message: 'is required with an amount' }]
  }
  if (typeof currency !== 'string' || isCurrencyCode(currency)) return []
  return [{ field, constraint: { format: 'iso4217' }, message: 'is not a currency' }]
}

function ruleErrors(rules: unknown, at: string): FieldError[] {
  if (!Array.isArray(rules)) return []
  const ids = rules.map((rule) => (Object(rule) as Fields)['accountId'])
  return ids.flatMap((id, index) => {
    if (typeof id !== 'string' || ids.indexOf(id) === index) return []
    const field = `${at}accountRestrictions.accountRules.${index}.accountId`
    return [{ field, message: 'has a rule already' }]
  })
}
