import type { FieldError } from '../../kernel/errors.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Ports } from '../../kernel/ports.ts'
import {
  identityProviderFor,
  isJudgedByName,
} from '../../providers/identity/identity-provider-for.ts'
import type { CustomerRecord, CustomerStatus } from '../customers/index.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'
import { isOutside } from './coverage.ts'

const SHARES_MAX = 100

type Stake = Pick<BeneficialOwner, 'id' | 'roles' | 'ownershipPercentage'>

/** The stake in a request, as far as it is readable; the rest is the schema's finding. */
export function stakeOf(id: BeneficialOwner['id'], request: CustomerRecord): Stake {
  const { roles, ownershipPercentage } = request
  return {
    id,
    roles: Array.isArray(roles) ? (roles as Stake['roles']) : [],
    ownershipPercentage: typeof ownershipPercentage === 'number' ? ownershipPercentage : 0,
  }
}

/** Limits on all owners of one business (BO-6, BO-7). `owner` is one of them, or a new one. */
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

type Asking = Readonly<{ ports: Ports }>
type OnPlatform = Asking & Readonly<{ platform: Pick<Platform, 'kind'> }>

type Person = Readonly<{ personalInfo: { lastName: string } }> &
  Partial<Pick<BeneficialOwner, 'status' | 'coverage'>>

const isCovered = ({ coverage = 'NONE' }: Person): boolean => !isOutside({ coverage })

/**
 * The status of an owner when its business gets this status (chapter 11, 4.3). A decision applies to covered owners
 * only (KYB-9), and a rejected owner stays rejected until the business is submitted again.
 */
export function statusWithBusiness(
  asking: Asking,
  owner: Person,
  business: CustomerStatus,
): CustomerStatus {
  const { status = 'UNVERIFIED', personalInfo } = owner
  if (business === 'HOLD') return status
  if (business === 'UNVERIFIED' || business === 'PENDING') return business
  if (!isCovered(owner) || status === 'REJECTED') return status
  return identityProviderFor(asking).judgeOwner(personalInfo, business)
}

/** The status of an owner after an owner review (KYB-13). */
export function statusAfterReview(
  asking: Asking,
  { personalInfo, status }: Pick<BeneficialOwner, 'personalInfo' | 'status'>,
  outcome: 'APPROVED' | 'REJECTED',
): CustomerStatus {
  if (outcome === 'REJECTED' || status === 'REJECTED') return 'REJECTED'
  return identityProviderFor(asking).judgeOwner(personalInfo, outcome)
}

/**
 * The first status of an owner (chapter 11, 4.3). An owner who joins a business that was decided without a packet is
 * decided as the others were; any other owner is reviewed first (KYB-10).
 */
export function initialOwnerStatus(
  work: OnPlatform,
  owner: Person,
  business: CustomerStatus,
): CustomerStatus {
  if (business !== 'APPROVED' && business !== 'REJECTED') return 'UNVERIFIED'
  if (!isJudgedByName(work) && work.platform.kind !== 'REGULATED') return 'UNVERIFIED'
  return statusWithBusiness(work, owner, business)
}

/**
 * The status of an owner when a hold ends: unchanged. An owner who joined a business without a packet during the hold
 * gets the status that it would have without the hold.
 */
export const statusAfterHold = (
  work: OnPlatform,
  owner: Person & Readonly<{ status: CustomerStatus }>,
  business: CustomerStatus,
): CustomerStatus =>
  owner.status === 'UNVERIFIED' ? initialOwnerStatus(work, owner, business) : owner.status
