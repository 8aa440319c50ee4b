import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work.ts'
import { lockReview, type Review } from './lock-review.ts'
import { OPEN_STATUSES } from '../status/machine.ts'

/** `PENDING/IN_PROGRESS/2026-01-31T08:00:00.000Z`: of the customer, of its open verification, and since when that. */
export function reviewStateOf({ customer, verification }: Review): string {
  const open = OPEN_STATUSES.find((status) => status === verification?.status)
  const parts = open && verification ? [open, toWireTime(verification.updatedAt)] : []
  return [customer.status, ...parts].join('/')
}

/**
 * Takes hold of a review that is as an operator has seen it, or begins so: after a hold, say, it could still be decided,
 * but by somebody who knows of the hold (VER-20). Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, CONFLICT.
 */
export async function holdReviewAt(work: Work, id: string, seen: string): Promise<void> {
  const state = reviewStateOf(await lockReview(work, id))
  if (!`${state}/`.startsWith(`${seen}/`)) fail('CONFLICT', { state })
}
