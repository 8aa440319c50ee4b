import { newId } from '../../../kernel/ids.ts'
import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { Customer } from '../../customers/index.ts'
import { verification as machine, type OpenStatus, type VerificationEvent } from './machine.ts'
import { insertVerification, saveVerification } from '../store.ts'
import type { Verification } from '../verification.ts'
import { verificationToWire } from '../wire.ts'

type Change = Partial<
  Pick<Verification, 'errors' | 'reviewerEntries' | 'isOwnerReview' | 'snapshotId' | 'submittedAt'>
>

/** Every move emits one event (VER-31). */
function emitMove(work: Work, moved: Verification): void {
  emit(work, `VERIFICATION.${moved.status}`, verificationToWire(moved))
}

/** Moves a verification, whose customer is locked, and emits the event. Fails: INVALID_STATE_TRANSITION. */
export function moveVerification(
  work: Work,
  before: Verification,
  { event, ...change }: Change & { event: VerificationEvent },
): Verification {
  const status = advance(machine, before.status, event)
  const moved: Verification = { ...before, ...change, status, updatedAt: work.now }
  saveVerification(work.tx, work.platform.id, moved)
  emitMove(work, moved)
  return moved
}

/** Creates a verification in one of its initial statuses and emits the event. */
export function createVerification(
  work: Work,
  { id: customerId }: Customer,
  { status, ...change }: Change & { status: OpenStatus },
): Verification {
  const { tx, platform, now } = work
  const created: Verification = {
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
  insertVerification(tx, platform.id, created)
  emitMove(work, created)
  return created
}
