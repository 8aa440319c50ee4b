import type { Id } from '../../kernel/ids.ts'
import type { CustomerStatus, ShownBeneficialOwner } from '../customers/index.ts'

export type Role = ShownBeneficialOwner['roles'][number]

/** Data of the person without the government-issued number, which is stored sealed. */
export type PersonalInfo = Readonly<Omit<ShownBeneficialOwner['personalInfo'], 'identifier'>>

/**
 * `NONE`: the business has no validated packet under review or decided. `COVERED`: the owner is in that packet, or was
 * decided by an owner review. `OUTSIDE`: added or materially changed since; `OUTSIDE_MAJOR` needs a review.
 */
export type Coverage = 'NONE' | 'COVERED' | 'OUTSIDE' | 'OUTSIDE_MAJOR'

export type BeneficialOwner = Readonly<{
  id: Id<'beneficialOwner'>
  customerId: Id<'customer'>
  roles: readonly Role[]
  ownershipPercentage: number
  personalInfo: PersonalInfo
  identifier: Buffer
  status: CustomerStatus
  coverage: Coverage
  createdAt: Date
  updatedAt: Date
}>
