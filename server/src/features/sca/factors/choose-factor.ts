import { fail } from '../../../kernel/errors.ts'
import { availableFactors, defaultFactor, usableFactors, type ScaFactor } from './factor.ts'
import type { ScaCustomer } from '../customers/sca-customer.ts'

type ChallengeFactor = Exclude<ScaFactor, 'TOTP'>

export type ChosenFactor = Readonly<{
  factor: ChallengeFactor
  availableFactors: readonly ScaFactor[]
}>

/**
 * By what a challenge is to be proven (SCA-43, TRUST-3): the factor that was asked for and is known to be available,
 * else the customer's default. Fails: CONFLICT where the customer has none.
 */
export function mustChooseFactor(
  { factors }: ScaCustomer,
  { asked, alsoTotp }: { asked?: ChallengeFactor | undefined; alsoTotp: boolean },
): ChosenFactor {
  const available = availableFactors(factors)
  const factor = asked ?? defaultFactor(available)
  if (factor === undefined) return fail('CONFLICT', { reason: 'NO_SCA_FACTOR' })
  return { factor, availableFactors: usableFactors(factor, { available, alsoTotp }) }
}
