import { addMs, SECOND_MS } from '../../kernel/clock.ts'
import type { RailSelectionMode } from '../transactions/index.ts'

/** TXN-17: how long a rail takes to settle; every other one settles at once. */
const SETTLEMENT_SECONDS: ReadonlyMap<string, number> = new Map([
  ['ACH', 86_400],
  ['WIRE', 14_400],
  ['SEPA', 86_400],
  ['SWIFT', 172_800],
  ['NEFT', 7_200],
])

export type SettlementTimeline = Readonly<{
  paymentRail: string
  railSelectionMode: RailSelectionMode
  settlementTimelineSeconds: number
  expectedSettlementAt?: Date
}>

/**
 * TXN-17: what a payout to an external fiat account says about its rail. Internal, wallet and UMA destinations have
 * no rail and say nothing.
 */
export function settlementTimeline({
  paymentRail,
  railSelectionMode,
  createdAt,
}: {
  paymentRail: string
  railSelectionMode: RailSelectionMode
  createdAt: Date
}): SettlementTimeline {
  const seconds = SETTLEMENT_SECONDS.get(paymentRail) ?? 0
  return {
    paymentRail,
    railSelectionMode,
    settlementTimelineSeconds: seconds,
    ...(seconds > 0 && { expectedSettlementAt: addMs(createdAt, seconds * SECOND_MS) }),
  }
}
