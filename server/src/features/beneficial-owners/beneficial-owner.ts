import type { Id } from '../../kernel/ids.ts'
import type { CustomerStatus, ShownBeneficialOwner } from '../customers/index.ts'
import type { Coverage } from './coverage.ts'

export type Role = ShownBeneficialOwner['roles'][number]

/** What is known of the person; the government's number is apart from it, sealed. */
export type PersonalInfo = Readonly<Omit<ShownBeneficialOwner['personalInfo'], 'identifier'>>

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
