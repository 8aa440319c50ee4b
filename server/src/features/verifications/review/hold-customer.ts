import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { completeEntries } from './complete-entries.ts'
import { lockReviewOf, type Review } from './lock-review.ts'
import { isUnderReview } from '../status/machine.ts'
import { moveCustomer } from '../status/move-customer.ts'
import { beginVerification, moveVerification } from '../status/move-verification.ts'
import { readPacket } from '../submission/packet.ts'
import { recordDecision } from './record-decision.ts'
import { rememberEntry } from './reviewer-entries.ts'
import { insertHold } from '../store.ts'
import type { Verification } from '../verification.ts'

export type HoldRequest = Readonly<{ errors?: readonly unknown[]; note?: string | undefined }>

/**
 * The operator puts a pending or approved customer on hold, with or without something for the platform to do (VER-22).
 * Fails: USER_NOT_FOUND, INVALID_INPUT, INVALID_STATE_TRANSITION.
 */
export async function holdCustomer(
  work: Work,
  customerId: Id<'customer'>,
  { errors = [], note }: HoldRequest,
): Promise<Review> {
  const { tx, platform, now } = work
  const review = await lockReviewOf(work, customerId)
  const { customer, verification: before } = review
  const held = await moveCustomer(work, customer, 'hold')
  insertHold(tx, platform.id, { customerId, statusBefore: customer.status, heldAt: now })
  const verification = errors.length === 0 ? before : await askFor(work, review, errors)
  recordDecision(work, review, { action: 'hold', note })
  return { customer: held, verification }
}

/** Of what is under review, or in a verification of its own. */
async function askFor(
  work: Work,
  { customer, verification }: Review,
  given: readonly unknown[],
): Promise<Verification> {
  const packet = await readPacket(work, customer)
  const asked = completeEntries(packet, given, { isRejection: false })
  // What an owner review lacks is still to be supplied.
  const before = verification?.isOwnerReview ? verification : undefined
  const errors = [...asked, ...(before?.errors ?? [])]
  const reviewerEntries = [
    ...asked.map((entry) => rememberEntry(work.keyring, packet, entry)),
    ...(before?.reviewerEntries ?? []),
  ]
  if (!verification) {
    return beginVerification(work, customer, { status: 'RESOLVE_ERRORS', errors, reviewerEntries })
  }
  const event = isUnderReview(verification.status) ? 'return' : 'findErrors'
  return moveVerification(work, verification, { event, errors, reviewerEntries })
}
