import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../infra/work/work.ts'
import { listOpenFlags } from '../flags/store.ts'
import { lockReview, type Review } from './lock-review.ts'
import { OPEN_STATUSES } from '../status/machine.ts'

/** `PENDING/IN_PROGRESS/2026-01-31T08:00:00.000Z`: status of the customer, of its open verification, and since when. */
export function reviewStateOf({ customer, verification }: Review): string {
  const open = OPEN_STATUSES.find((status) => status === verification?.status)
  const parts = open && verification ? [open, toWireTime(verification.updatedAt)] : []
  return [customer.status, ...parts].join('/')
}

/**
 * Locks a review whose state starts with the one that the operator has seen, so that a decision never overrides a
 * later change, such as a hold (VER-20). Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, CONFLICT.
 */
export async function lockReviewIfUnchanged(work: Work, id: string, seen: string): Promise<void> {
  const state = reviewStateOf(await lockReview(work, id))
  if (!`${state}/`.startsWith(`${seen}/`)) fail('CONFLICT', { state })
}

/**
 * Locks a review and returns its version, which changes with later findings that the operator has not seen (OPER-23).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND.
 */
export async function lockReviewVersion(work: Work, id: string): Promise<unknown> {
  const { customer, verification } = await lockReview(work, id)
  const flags = await listOpenFlags(work, customer.id)
  return [customer.updatedAt, verification?.id, verification?.updatedAt, flags]
}
