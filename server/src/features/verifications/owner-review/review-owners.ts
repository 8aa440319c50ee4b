/** The review of owners who were added or changed after the packet of their business was accepted (KYB-11). */
import { isDeepStrictEqual } from 'node:util'
import { formatId } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { needsReview } from '../../beneficial-owners/index.ts'
import { findCustomer, type Customer } from '../../customers/index.ts'
import { findOwnerErrors, type Findings } from '../submission/find-errors.ts'
import { createVerification, moveVerification } from '../status/move-verification.ts'
import { readPacket } from '../submission/packet.ts'
import { findOpenVerification, saveVerification } from '../store.ts'
import type { ErrorEntry, Verification } from '../verification.ts'

/**
 * Reacts to a write to an owner or a document of a locked business: opens a review or evaluates the open one. Nothing
 * happens while the packet itself is open, since its reviewer sees the owner (KYB-12). Refuses nothing.
 */
export async function reviewOwners(
  work: Work,
  { customerId }: InternalEvents['beneficialOwners.changed'],
): Promise<void> {
  const [customer, open] = await Promise.all([
    findCustomer(work, customerId),
    findOpenVerification(work.tx, work.platform.id, customerId),
  ])
  if (!customer) return
  if (!open) await openOwnerReview(work, customer)
  else if (open.isOwnerReview) await evaluateOwnerReview(work, customer, open)
}

/** Opens a review if the business is approved and an owner outside coverage needs one. No verification is open. */
export async function openOwnerReview(work: Work, customer: Customer): Promise<void> {
  if (customer.status !== 'APPROVED' || customer.customerType !== 'BUSINESS') return
  const packet = await readPacket(work, customer)
  if (!packet.owners.some(({ owner }) => needsReview(owner))) return
  const { errors } = findOwnerErrors(work, packet, [])
  createVerification(work, customer, { status: statusFor(errors), isOwnerReview: true, errors })
}

/**
 * Evaluates an open owner review, and emits an event if status or errors changed. `updatedAt` always changes, so that
 * no operator decides on other owners than those seen (VER-20).
 */
export async function evaluateOwnerReview(
  work: Work,
  customer: Customer,
  open: Verification,
): Promise<Verification> {
  const packet = await readPacket(work, customer)
  const { errors, outstanding: reviewerEntries } = findOwnerErrors(
    work,
    packet,
    open.reviewerEntries,
  )
  const change = { errors, reviewerEntries }
  if (statusFor(errors) === open.status && isDeepStrictEqual(errors, open.errors)) {
    const seen = { ...open, ...change, updatedAt: work.now }
    saveVerification(work.tx, work.platform.id, seen)
    return seen
  }
  const event = errors.length > 0 ? 'findErrors' : 'resume'
  return moveVerification(work, open, { event, ...change })
}

/** A decided business is not submitted again, so an entry on one of its fields could never be resolved (VER-3). */
export const isBusinessField = ({ id }: Customer, { field, resourceId }: ErrorEntry): boolean =>
  field !== undefined && resourceId === formatId('customer', id)

const statusFor = (errors: Findings['errors']) =>
  errors.length > 0 ? 'RESOLVE_ERRORS' : 'PENDING_MANUAL_REVIEW'
