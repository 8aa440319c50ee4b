import { addMonths, addMs, DAY_MS, toWireDate } from '../../../kernel/clock.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import type { AgentBody } from '../schema.ts'

/** The amounts that an agent moved on a UTC day and in its month, in the currency of its limits. */
export type Usage = Readonly<{
  /** `YYYY-MM-DD`. */
  day: string
  dailyCount: number
  dailySpend: bigint
  monthlySpend: bigint
}>

export const noUsage = (now: Date): Usage => ({
  day: toWireDate(now),
  dailyCount: 0,
  dailySpend: 0n,
  monthlySpend: 0n,
})

const monthOf = (day: string): string => day.slice(0, 7)

/**
 * A new day and a new month start at zero (AGENT-20). A request from before midnight that is decided after one of the new
 * day counts in the new day, so that no usage is lost (ACT-6).
 */
export function usageAt(usage: Usage, now: Date): Usage {
  const fresh = noUsage(now)
  if (usage.day >= fresh.day) return usage
  const isSameMonth = monthOf(usage.day) === monthOf(fresh.day)
  return isSameMonth ? { ...fresh, monthlySpend: usage.monthlySpend } : fresh
}

/** Counts one executed action; called only in the transaction that executes it (ACT-6). */
export const addUsage = (usage: Usage, amount: bigint): Usage => ({
  ...usage,
  dailyCount: usage.dailyCount + 1,
  dailySpend: usage.dailySpend + amount,
  monthlySpend: usage.monthlySpend + amount,
})

const shown = (amount: bigint): number => amountToWire(amount > AMOUNT_MAX ? AMOUNT_MAX : amount)

export function usageToWire(usage: Usage, now: Date): AgentBody['usage'] {
  const { dailyCount, dailySpend, monthlySpend } = usageAt(usage, now)
  return {
    dailyTransactionCount: dailyCount,
    dailySpend: shown(dailySpend),
    dailyResetDate: toWireDate(addMs(now, DAY_MS)),
    monthlySpend: shown(monthlySpend),
    monthlyResetMonth: monthOf(toWireDate(addMonths(now, 1))),
  }
}
