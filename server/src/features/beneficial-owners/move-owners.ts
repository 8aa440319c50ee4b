import type { Work } from '../../infra/work/work.ts'
import {
  setBeneficialOwners,
  type BusinessCustomer,
  type Customer,
  type CustomerStatus,
  type ShownBeneficialOwner,
} from '../customers/index.ts'
import type { BeneficialOwner, Coverage } from './beneficial-owner.ts'
import { isOutside } from './coverage.ts'
import { statusAfterHold, statusAfterReview, statusWithBusiness } from './rules.ts'
import { listOwnersOf, saveOwnerMoves } from './store.ts'
import { ownerInCustomer } from './wire.ts'

type StatusAndCoverage = Pick<BeneficialOwner, 'status' | 'coverage'>

/** Saves the moves and answers all owners as the business shows them. */
async function saveMoves(
  { tx, platform, now, keyring }: Work,
  { id }: BusinessCustomer,
  standingOf: (owner: BeneficialOwner) => StatusAndCoverage,
): Promise<readonly ShownBeneficialOwner[]> {
  const owners = await listOwnersOf(tx, platform.id, id)
  const after = owners.map((owner) => {
    const standing = standingOf(owner)
    const isMoved = standing.status !== owner.status
    return { ...owner, ...standing, ...(isMoved && { updatedAt: now }) }
  })
  const moves = after.filter(
    ({ status, coverage }, index) =>
      status !== owners[index]?.status || coverage !== owners[index].coverage,
  )
  if (moves.length > 0) await saveOwnerMoves(tx, platform.id, moves)
  return after.map((owner) => ownerInCustomer(keyring, owner))
}

/** By owner; an owner that is not named follows its business. */
export type OwnerDecisions = ReadonlyMap<BeneficialOwner['id'], CustomerStatus>

export type OwnersMove = Readonly<{
  to: CustomerStatus
  isRelease: boolean
  /** The accepted packet was validated, so it covers every owner. */
  isCovering: boolean
  decisions?: OwnerDecisions | undefined
}>

/**
 * Moves the covered owners of a locked business with it (KYB-5). Answers all owners as the business shows them;
 * undefined for an individual. Refuses nothing.
 */
export async function moveOwners(
  work: Work,
  customer: Customer,
  { to, isRelease, isCovering, decisions }: OwnersMove,
): Promise<readonly ShownBeneficialOwner[] | undefined> {
  if (customer.customerType !== 'BUSINESS') return undefined
  const statusOf = isRelease ? statusAfterHold : statusWithBusiness
  const coverageOf = ({ coverage }: BeneficialOwner): Coverage => {
    if (to === 'UNVERIFIED') return 'NONE'
    return isCovering ? 'COVERED' : coverage
  }
  return saveMoves(work, customer, (owner) => ({
    status: (isOutside(owner) ? undefined : decisions?.get(owner.id)) ?? statusOf(work, owner, to),
    coverage: coverageOf(owner),
  }))
}

/** Decides the owners outside coverage of a locked business, which are then covered (KYB-13). Refuses nothing. */
export async function decideOutsideOwners(
  work: Work,
  business: BusinessCustomer,
  outcome: 'APPROVED' | 'REJECTED',
): Promise<BusinessCustomer> {
  const shown = await saveMoves(work, business, (owner) =>
    isOutside(owner)
      ? { status: statusAfterReview(work, owner, outcome), coverage: 'COVERED' }
      : owner,
  )
  return setBeneficialOwners(work, business, shown)
}
