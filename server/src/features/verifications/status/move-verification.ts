import { newId } from '../../../kernel/ids.ts'
import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { Customer } from '../../customers/index.ts'
import { verification as machine, type OpenStatus, type VerificationEvent } from './machine.ts'
import { insertVerification, saveVerification } from '../store.ts'
import type { Verification } from '../verification.ts'
import { verificationToWire } from '../wire.ts'

type Change = Partial<
  Pick<Verification, 'errors' | 'reviewerEntries' | 'isOwnerReview' | 'snapshotId' | 'submittedAt'>
>

/** Every move is told once (VER-31). */
function tell(work: Work, moved: Verification): void {
  emit(work, `VERIFICATION.${moved.status}`, verificationToWire(moved))
}

/**
 * Moves a verification, whose customer is locked, and tells the platform. Fails: INVALID_STATE_TRANSITION.
 */
export function moveVerification(
  work: Work,
  before: Verification,
  { event, ...change }: Change & { event: VerificationEvent },
): Verification {
  const status = advance(machine, before.status, event)
  const moved: Verification = { ...before, ...change, status, updatedAt: work.now }
  saveVerification(work.tx, work.platform.id, moved)
  tell(work, moved)
  return moved
}

/** A new one in one of the states in which a verification is born. */
export function beginVerification(
  work: Work,
  { id: customerId }: Customer,
  { status, ...change }: Change & { status: OpenStatus },
): Verification {
  const { tx, platform, now } = work
  const begun: Verification = {
    id: newId('verification'),
    customerId,
    status,
    isOwnerReview: false,
    errors: [],
    reviewerEntries: [],
    snapshotId: undefined,
    submittedAt: now,
    createdAt: now,
    updatedAt: now,
    ...change,
  }
  insertVerification(tx, platform.id, begun)
  tell(work, begun)
  return begun
}
