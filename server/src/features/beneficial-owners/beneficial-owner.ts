import type { Id } from '../../kernel/ids.ts'
import type { CustomerStatus, ShownBeneficialOwner } from '../customers/index.ts'

export type Role = ShownBeneficialOwner['roles'][number]

/** What is known of the person; the government's number is apart from it, sealed. */
export type PersonalInfo = Readonly<Omit<ShownBeneficialOwner['personalInfo'], 'identifier'>>

/**
 * `NONE`: no validated packet of the business is under review or decided. `COVERED`: in it, or decided by an owner
 * review. `OUTSIDE`: added or materially changed since; `OUTSIDE_MAJOR` where a reviewer has to know of it.
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
