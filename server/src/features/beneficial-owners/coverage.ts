/**
 * Coverage: a decision on a business covers the owners in its accepted packet, as they were then. Owners who were added
 * or changed since need a review (KYB-9 to KYB-14). Pure.
 */
import type { BeneficialOwner, Coverage } from './beneficial-owner.ts'

const MAJOR_SHARE = 25

type Stake = Pick<BeneficialOwner, 'roles' | 'ownershipPercentage'>
type Covered = Pick<BeneficialOwner, 'coverage'>

export const isMajor = ({ roles, ownershipPercentage }: Stake): boolean =>
  roles.includes('CONTROL_PERSON') || ownershipPercentage >= MAJOR_SHARE

export const isOutside = ({ coverage }: Covered): boolean =>
  coverage === 'OUTSIDE' || coverage === 'OUTSIDE_MAJOR'

/** Whether the owner opens a review (KYB-11). */
export const needsReview = ({ coverage }: Covered): boolean => coverage === 'OUTSIDE_MAJOR'

/** A validated packet has an owner, and owners are never removed, so the others show whether there was one. */
export function coverageOfNew(owner: Stake, others: readonly Covered[]): Coverage {
  if (others.every(({ coverage }) => coverage === 'NONE')) return 'NONE'
  return isMajor(owner) ? 'OUTSIDE_MAJOR' : 'OUTSIDE'
}

const MATERIAL = ['firstName', 'middleName', 'lastName', 'birthDate', 'nationality'] as const

type Person = Pick<BeneficialOwner, 'personalInfo'>

const isOtherPerson = (before: Person, after: Person): boolean =>
  MATERIAL.some((name) => before.personalInfo[name] !== after.personalInfo[name])

/** Whether what lists are searched for has changed (PROV-101). */
export const isOtherIdentity = (before: Person, after: Person): boolean =>
  isOtherPerson(before, after) ||
  before.personalInfo.address.country !== after.personalInfo.address.country

type Content = Stake & Person

/** The order of roles does not matter (KYB-9). */
export function isMaterialChange(before: Content, after: Content): boolean {
  const rolesOf = ({ roles }: Stake): string => roles.toSorted().join()
  return (
    isOtherPerson(before, after) ||
    before.ownershipPercentage !== after.ownershipPercentage ||
    rolesOf(before) !== rolesOf(after)
  )
}

/**
 * The owner after a change (KYB-10). A major owner stays major until decided, so that a shrinking share is reviewed
 * like a growing one.
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
