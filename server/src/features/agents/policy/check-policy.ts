import { mustHaveNoErrors, type FieldError } from '../../../kernel/errors.ts'
import { parseId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer } from '../../customers/index.ts'
import { findAccounts } from '../../internal-accounts/index.ts'
import { readConfig } from '../../platform/index.ts'
import { policyErrors, type Policy } from './policy.ts'
import { findAgent } from '../record/store.ts'

export type CheckedPolicy = Readonly<{
  policy: Policy
  /** Undefined for an unknown customer, whose accounts are then not checked. */
  customerId: Id<'customer'> | undefined
  /** The prefix of the policy's fields in the request. */
  at: string
}>

type Reading = Pick<Work, 'tx' | 'platform'>
type Fields = Readonly<Record<string, unknown>>

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Checks a policy against stored currencies and accounts (AGENT-4, AGENT-5). Fails: INVALID_INPUT. */
export async function mustBeValidPolicy(reading: Reading, checked: CheckedPolicy): Promise<void> {
  const errors = [
    ...policyErrors(checked.policy, checked),
    ...(await storedErrors(reading, checked)),
  ]
  mustHaveNoErrors(errors)
}

/**
 * Adds the errors against stored data to those of a request that is refused for its fields anyway, so that one answer
 * lists all (CORE-30). Accepts unvalidated input.
 */
export async function checkNewPolicy(reading: Reading, body: unknown): Promise<FieldError[]> {
  const { policy, customerId: named } = Object(body) as Fields
  const id = typeof named === 'string' ? parseId('customer', named) : undefined
  const customer = id && (await findCustomer(reading, id))
  return storedErrors(reading, { policy, customerId: customer?.id, at: 'policy.' })
}

/** Checks the policy as it would be after a change (AGENT-6). Accepts unvalidated input. */
export async function checkPolicyChange(
  reading: Reading,
  id: Id<'agent'> | undefined,
  body: unknown,
): Promise<FieldError[]> {
  const { tx, platform } = reading
  const agent = id && (await findAgent(tx, platform.id, id))
  if (!agent || agent.isDeleted) return []
  const update = Object(body) as Fields
  const merged = (name: keyof Policy): object => ({
    ...(Object(agent.policy[name]) as Fields),
    ...(Object(update[name]) as Fields),
  })
  const policy = {
    spendingLimits: merged('spendingLimits'),
    accountRestrictions: merged('accountRestrictions'),
    approvalThresholds: merged('approvalThresholds'),
  }
  const checked = { policy, customerId: agent.customerId, at: '' }
  return [...policyErrors(policy, checked), ...(await storedErrors(reading, checked))]
}

/** Accepts unvalidated input. */
async function storedErrors(
  reading: Reading,
  { policy, customerId, at }: Omit<CheckedPolicy, 'policy'> & Readonly<{ policy: unknown }>,
): Promise<FieldError[]> {
  const [currencyErrors, accountErrors] = await Promise.all([
    checkLimitCurrency(reading, policy, at),
    customerId ? checkAccounts(reading, { policy, customerId, at }) : [],
  ])
  return [...currencyErrors, ...accountErrors]
}

/** Limits are in a currency of the platform (AGENT-4). Accepts unvalidated input. */
async function checkLimitCurrency(
  reading: Reading,
  policy: unknown,
  at: string,
): Promise<FieldError[]> {
  const { spendingLimits } = Object(policy) as Fields
  const { currency } = Object(spendingLimits) as Fields
  const { currencies } = await readConfig(reading)
  const codes = currencies.map((one) => one.currency)
  if (typeof currency !== 'string' || codes.includes(currency)) return []
  const field = `${at}spendingLimits.currency`
  return [{ field, constraint: { enum: codes }, message: 'is none of the platform’s currencies' }]
}

type NamedAccounts = Readonly<{ policy: unknown; customerId: Id<'customer'>; at: string }>

/** Named accounts belong to the agent's customer (AGENT-5). Accepts unvalidated input. */
async function checkAccounts(
  { tx, platform }: Reading,
  { policy, customerId, at }: NamedAccounts,
): Promise<FieldError[]> {
  const { accountRestrictions } = Object(policy) as Fields
  const { allowedAccountIds, accountRules } = Object(accountRestrictions) as Fields
  const named = [
    ...listIn(allowedAccountIds).map((id, n) => ({ id, field: `allowedAccountIds.${n}` })),
    ...listIn(accountRules).map((rule, n) => ({
      id: (Object(rule) as Fields)['accountId'],
      field: `accountRules.${n}.accountId`,
    })),
  ].flatMap(({ id, field }) =>
    typeof id === 'string' ? [{ id: parseId('internalAccount', id), field }] : [],
  )
  const ids = named.flatMap(({ id }) => id ?? [])
  if (named.length === 0) return []
  const own = new Set(
    (await findAccounts(tx, platform.id, ids))
      .filter((account) => account.customerId === customerId)
      .map(({ id }) => id),
  )
  return named
    .filter(({ id }) => !id || !own.has(id))
    .map(({ field }) => ({
      field: `${at}accountRestrictions.${field}`,
      message: 'is no internal account of the agent’s customer',
    }))
}
