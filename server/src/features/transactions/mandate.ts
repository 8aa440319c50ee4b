import type { Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money.ts'

/** What a payment moves, as a policy looks at it. */
export type Movement = Readonly<{
  accountIds: readonly Id<'internalAccount'>[]
  money: Money
  /** When an agent made the external account that is paid; null: no agent made it, or none is paid (ACT-31). */
  payeeMadeAt: Date | null
}>

/**
 * Under which a program pays for a customer: whose accounts it reaches, and who says whether it may. The payment itself
 * is the same as anybody's.
 */
export type Mandate = Readonly<{
  agentId: Id<'agent'>
  customerId: Id<'customer'>
  /** Whether the payment may run now; false: it waits for the platform. Fails: FORBIDDEN. */
  permits(movement: Movement): boolean
}>

/** ACT-7: what is not the customer's is not there. */
export const isAccessible = (
  mandate: Pick<Mandate, 'customerId'> | undefined,
  { customerId }: Readonly<{ customerId: Id<'customer'> | null }>,
): boolean => mandate === undefined || customerId === mandate.customerId
