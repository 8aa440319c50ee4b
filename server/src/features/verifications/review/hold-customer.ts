import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../../customers/index.ts'
import { completeEntries } from './complete-entries.ts'
import { lockReviewOf, type Review } from './lock-review.ts'
import { isUnderReview } from '../status/machine.ts'
import { moveCustomer } from '../status/move-customer.ts'
import { createVerification, moveVerification } from '../status/move-verification.ts'
import { readPacket } from '../submission/packet.ts'
import { recordDecision } from './record-decision.ts'
import { toReviewerEntry } from './reviewer-entries.ts'
import { insertHold } from '../store.ts'
import type { Verification } from '../verification.ts'

export type HoldRequest = Readonly<{ errors?: readonly unknown[]; note?: string | undefined }>

/**
 * Puts a pending or approved customer on hold, with or without entries for the platform (VER-22).
 * Fails: USER_NOT_FOUND, INVALID_INPUT, INVALID_STATE_TRANSITION.
 */
export async function holdCustomer(
  work: Work,
  customerId: Id<'customer'>,
  { errors = [], note }: HoldRequest,
): Promise<Review> {
  const review = await lockReviewOf(work, customerId)
  const { customer, verification: before } = review
  const held = await putOnHold(work, customer)
  const verification = errors.length === 0 ? before : await requestItems(work, review, errors)
  recordDecision(work, review, { action: 'hold', note })
  return { customer: held, verification }
}

/** Moves a locked customer to HOLD and stores its former status. Fails: INVALID_STATE_TRANSITION. */
export async function putOnHold(work: Work, customer: Customer): Promise<Customer> {
  const { id: customerId, status: statusBefore } = customer
  const held = await moveCustomer(work, customer, 'hold')
  insertHold(work.tx, work.platform.id, { customerId, statusBefore, heldAt: work.now })
  return held
}

/** Adds the entries to the open verification, or opens one for them. */
async function requestItems(
  work: Work,
  { customer, verification }: Review,
  given: readonly unknown[],
): Promise<Verification> {
  const packet = await readPacket(work, customer)
  const requested = completeEntries(packet, given, { isRejection: false })
  // The errors of an owner review stay open.
  const before = verification?.isOwnerReview ? verification : undefined
  const errors = [...requested, ...(before?.errors ?? [])]
  const reviewerEntries = [
    ...requested.map((entry) => toReviewerEntry(work.keyring, packet, entry)),
    ...(before?.reviewerEntries ?? []),
  ]
  if (!verification) {
    return createVerification(work, customer, { status: 'RESOLVE_ERRORS', errors, reviewerEntries })
  }
  const event = isUnderReview(verification.status) ? 'return' : 'findErrors'
  return moveVerification(work, verification, { event, errors, reviewerEntries })
}
