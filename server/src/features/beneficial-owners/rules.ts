import type { FieldError } from '../../kernel/errors.ts'
import type { Platform } from '../../kernel/platform.ts'
import { identityProviderFor } from '../../providers/identity/identity-provider-for.ts'
import type { CustomerRecord, CustomerStatus } from '../customers/index.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'
import { isOutside } from './coverage.ts'

const SHARES_MAX = 100

type Stake = Pick<BeneficialOwner, 'id' | 'roles' | 'ownershipPercentage'>

/** What a request says of a stake, as far as it can be understood: the rest is the schema's finding. */
export function stakeOf(id: BeneficialOwner['id'], request: CustomerRecord): Stake {
  const { roles, ownershipPercentage } = request
  return {
    id,
    roles: Array.isArray(roles) ? (roles as Stake['roles']) : [],
    ownershipPercentage: typeof ownershipPercentage === 'number' ? ownershipPercentage : 0,
  }
}

/** What the owners of one business are together (BO-6, BO-7). `owner` is one of them, or to become one. */
export function checkStakes(owner: Stake, all: readonly Stake[]): FieldError[] {
  const others = all.filter(({ id }) => id !== owner.id)
  const taken = others.reduce((sum, { ownershipPercentage }) => sum + ownershipPercentage, 0)
  const errors: FieldError[] = []
  if (taken + owner.ownershipPercentage > SHARES_MAX) {
    const maximum = SHARES_MAX - taken
    const message = `must be at most ${maximum}: the others hold ${taken} %`
    errors.push({ field: 'ownershipPercentage', constraint: { maximum }, message })
  }
  const isControlling = ({ roles }: Stake): boolean => roles.includes('CONTROL_PERSON')
  if (isControlling(owner) && others.some(isControlling)) {
    errors.push({ field: 'roles', message: 'the business has its CONTROL_PERSON already' })
  }
  return errors
}

type Person = Readonly<{ personalInfo: { lastName: string } }> &
  Partial<Pick<BeneficialOwner, 'status' | 'coverage'>>

const isCovered = ({ coverage = 'NONE' }: Person): boolean => !isOutside({ coverage })

/**
 * What an owner becomes when its business gets this status (chapter 11, 4.3). A decision is about covered owners alone
 * (KYB-9), and one who is rejected stays so until the business is submitted again.
 */
export function statusWithBusiness(
  platform: Pick<Platform, 'environment'>,
  owner: Person,
  business: CustomerStatus,
): CustomerStatus {
  const { status = 'UNVERIFIED', personalInfo } = owner
  if (business === 'HOLD') return status
  if (business === 'UNVERIFIED' || business === 'PENDING') return business
  if (!isCovered(owner) || status === 'REJECTED') return status
  return identityProviderFor(platform).judgeOwner(personalInfo, business)
}

/** What an owner becomes when the review of the owners outside coverage ends (KYB-13). */
export function statusAfterReview(
  platform: Pick<Platform, 'environment'>,
  { personalInfo, status }: Pick<BeneficialOwner, 'personalInfo' | 'status'>,
  outcome: 'APPROVED' | 'REJECTED',
): CustomerStatus {
  if (outcome === 'REJECTED' || status === 'REJECTED') return 'REJECTED'
  return identityProviderFor(platform).judgeOwner(personalInfo, outcome)
}

/**
 * What an owner is born as (chapter 11, 4.3). One who joins a business that was decided without its packet is judged
 * like the others were; anybody else is looked at first (KYB-10).
 */
export function initialOwnerStatus(
  platform: Pick<Platform, 'environment' | 'kind'>,
  owner: Person,
  business: CustomerStatus,
): CustomerStatus {
  if (business !== 'APPROVED' && business !== 'REJECTED') return 'UNVERIFIED'
  if (platform.environment === 'PRODUCTION' && platform.kind !== 'REGULATED') return 'UNVERIFIED'
  return statusWithBusiness(platform, owner, business)
}

/**
 * What an owner is when a hold ends and the business is what it was before: the same. One who joined a business without
 * a packet during the hold is what it would be had there been none.
 */
export const statusAfterHold = (
  platform: Pick<Platform, 'environment' | 'kind'>,
  owner: Person & Readonly<{ status: CustomerStatus }>,
  business: CustomerStatus,
): CustomerStatus =>
  owner.status === 'UNVERIFIED' ? initialOwnerStatus(platform, owner, business) : owner.status
