import type { PortQuery } from '../../kernel/ports.ts'

/** Carries money out of the service and pulls it in. */
export type RailOrder = Readonly<{
  kind: 'quote' | 'transfer'
  /** The account that is pulled from first; undefined where the money is here already. */
  pull?: RailLeg | undefined
  /** The account that is paid; undefined where the money stays here. */
  payout?: RailLeg | undefined
}>

/** One leg as a provider is chosen for it, and as the sandbox decides it. */
export type RailLeg = Readonly<{
  query: PortQuery
  /** What decides a payment in the sandbox; null succeeds. */
  paymentSuffix: string | null
}>
