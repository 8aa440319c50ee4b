/**
 * Which owners a decision about their business is about: those in the packet that was validated and accepted, as they
 * were then. Owners who came or changed since have to be looked at (KYB-9 to KYB-14). Pure.
 */
import type { BeneficialOwner, Coverage } from './beneficial-owner.ts'

const MAJOR_SHARE = 25

type Stake = Pick<BeneficialOwner, 'roles' | 'ownershipPercentage'>
type Covered = Pick<BeneficialOwner, 'coverage'>

export const isMajor = ({ roles, ownershipPercentage }: Stake): boolean =>
  roles.includes('CONTROL_PERSON') || ownershipPercentage >= MAJOR_SHARE

export const isOutside = ({ coverage }: Covered): boolean =>
  coverage === 'OUTSIDE' || coverage === 'OUTSIDE_MAJOR'

/** An owner outside coverage for whom a review is opened (KYB-11). */
export const needsReview = ({ coverage }: Covered): boolean => coverage === 'OUTSIDE_MAJOR'

/** A validated packet has at least one owner, and owners stay: the others tell whether there was one. */
export function coverageOfNew(owner: Stake, others: readonly Covered[]): Coverage {
  if (others.every(({ coverage }) => coverage === 'NONE')) return 'NONE'
  return isMajor(owner) ? 'OUTSIDE_MAJOR' : 'OUTSIDE'
}

const MATERIAL = ['firstName', 'middleName', 'lastName', 'birthDate', 'nationality'] as const

type Content = Stake & Pick<BeneficialOwner, 'personalInfo'>

/** Roles in another order are the same roles (KYB-9). */
export function isMaterialChange(before: Content, after: Content): boolean {
  const rolesOf = ({ roles }: Stake): string => roles.toSorted().join()
  return (
    MATERIAL.some((name) => before.personalInfo[name] !== after.personalInfo[name]) ||
    before.ownershipPercentage !== after.ownershipPercentage ||
    rolesOf(before) !== rolesOf(after)
  )
}

/**
 * What a change makes of an owner (KYB-10). Who was major once stays so until decided: a share that shrinks is to be
 * looked at like one that grows.
 */
export function afterChange(before: BeneficialOwner, after: BeneficialOwner): BeneficialOwner {
  if (before.coverage === 'NONE' || !isMaterialChange(before, after)) return after
  const wasMajor = needsReview(before) || isMajor(before)
  return {
    ...after,
    coverage: wasMajor || isMajor(after) ? 'OUTSIDE_MAJOR' : 'OUTSIDE',
    status: before.status === 'REJECTED' ? 'REJECTED' : 'UNVERIFIED',
  }
}
