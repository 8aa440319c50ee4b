import { failFields, mustHaveNoErrors } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import { convertedAmount, type Rate } from '../../../kernel/money/rate.ts'
import type { Work } from '../../../infra/work/work.ts'
import { midRate, readPrices } from '../../rates/index.ts'
import type { Agent } from './agent.ts'
import { mustBeValidPolicy } from '../policy/check-policy.ts'
import { mustLockAgent } from './find-agent.ts'
import { convertPolicy, mergePolicy, sizeErrors } from '../policy/policy.ts'
import type { AgentPolicyUpdate } from '../schema.ts'
import { saveAgent } from './store.ts'
import { usageAt, type Usage } from '../policy/usage.ts'

/** Renames or pauses an agent (AGENT-8, AGENT-9). Fails: REFERENCE_NOT_FOUND. */
export async function updateAgent(
  work: Work,
  id: Id<'agent'>,
  { name, isPaused }: Readonly<{ name?: string; isPaused?: boolean }>,
): Promise<Agent> {
  const before = await mustLockAgent(work, id)
  return save(work, {
    ...before,
    name: name?.trim() ?? before.name,
    isPaused: isPaused ?? before.isPaused,
  })
}

/**
 * Changes the policy, from the next decision on (AGENT-6). If the currency changes, limits and usage are converted at
 * the current rate (AGENT-7). Fails: REFERENCE_NOT_FOUND, INVALID_INPUT.
 */
export async function updatePolicy(
  work: Work,
  id: Id<'agent'>,
  update: AgentPolicyUpdate,
): Promise<Agent> {
  const before = await mustLockAgent(work, id)
  const merged = mergePolicy(before.policy, update)
  await mustBeValidPolicy(work, { policy: merged, customerId: before.customerId, at: '' })
  const usage = usageAt(before.usage, work.now)
  const { currency } = merged.spendingLimits
  if (currency === before.policy.spendingLimits.currency) {
    return save(work, { ...before, policy: merged, usage })
  }
  const rate = await rateTo(work, before, currency)
  const policy = convertPolicy(before.policy, update, rate)
  const errors = sizeErrors(policy)
  mustHaveNoErrors(errors)
  return save(work, { ...before, policy, usage: convertUsage(usage, rate) })
}

async function rateTo(work: Work, { policy }: Agent, to: string): Promise<Rate> {
  const prices = (await readPrices(work.tx, [work]))(work)
  const sending = policy.spendingLimits.currency
  const rate = midRate({ sending, receiving: to, prices })
  const field = 'spendingLimits.currency'
  return rate ?? failFields([{ field, message: `has no price in ${sending} at present` }])
}

/** Usage is capped at the largest amount, which no limit exceeds. */
function convertUsage(usage: Usage, rate: Rate): Usage {
  const converted = (amount: bigint): bigint => {
    const other = convertedAmount({ amount, currency: rate.from }, rate, 'down')
    return other > AMOUNT_MAX ? AMOUNT_MAX : other
  }
  return {
    ...usage,
    dailySpend: converted(usage.dailySpend),
    monthlySpend: converted(usage.monthlySpend),
  }
}

async function save(work: Work, agent: Agent): Promise<Agent> {
  const { tx, platform, now } = work
  const saved = { ...agent, updatedAt: now }
  await saveAgent(tx, platform.id, saved)
  await work.react('agents.changed', { agentIds: [agent.id] })
  return saved
}
