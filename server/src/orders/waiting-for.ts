import type { Provider } from '../kernel/ports.ts'
import { isOpen, type Order } from './order.ts'

export const WAITING_FOR = [
  'SCHEDULED',
  'SCREENING',
  'PROVIDER_PAUSED',
  'CIRCUIT_OPEN',
  'PROVIDER_ANSWER',
  'PROVIDER_REPORT',
  'OPERATOR',
] as const
export type WaitingFor = (typeof WAITING_FOR)[number]

type Circumstances = Readonly<{
  now: Date
  providerStatus: Provider['status']
  isCircuitOpen: boolean
  hasException: boolean
}>

/** What an open order waits for (PROV-47); undefined for an order that has ended without an exception. */
export function waitingFor(
  { state, executeAt, isHeld }: Pick<Order, 'state' | 'executeAt' | 'isHeld'>,
  { now, providerStatus, isCircuitOpen, hasException }: Circumstances,
): WaitingFor | undefined {
  if (hasException) return 'OPERATOR'
  if (!isOpen(state)) return undefined
  if (state === 'ACCEPTED' || state === 'SENT') return 'PROVIDER_REPORT'
  if (isHeld) return 'SCREENING'
  if (state === 'QUEUED' && executeAt > now) return 'SCHEDULED'
  if (state === 'QUEUED' && providerStatus === 'PAUSED') return 'PROVIDER_PAUSED'
  return isCircuitOpen ? 'CIRCUIT_OPEN' : 'PROVIDER_ANSWER'
}
