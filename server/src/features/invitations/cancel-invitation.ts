import { fail } from '../../kernel/errors.ts'
import type { InternalEvents } from '../../infra/work/internal-events.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockInvitation, mustFindInvitation } from './find-invitation.ts'
import { stateAfter, type Invitation } from './invitation.ts'
import { cancelPendingOf, saveInvitation } from './store.ts'

/**
 * Cancels an invitation. Only the platform that made it may (INV-8).
 * Fails: INVITATION_NOT_FOUND, FORBIDDEN, INVITATION_ALREADY_CLAIMED, INVITATION_CANCELLED, INVALID_INPUT once expired.
 */
export async function cancelInvitation(work: Work, code: string): Promise<Invitation> {
  const found = await mustFindInvitation(work, code)
  if (found.platform.id !== work.platform.id) {
    fail('FORBIDDEN', { reason: 'NOT_THE_INVITING_PLATFORM' })
  }
  const { invitation } = await lockInvitation(work, code)
  const cancelled = { ...invitation, status: stateAfter(invitation, 'cancel') }
  saveInvitation(work.tx, cancelled)
  return cancelled
}

/** Cancels the pending invitations of a deleted customer (CUST-63). Refuses nothing. */
export function cancelCustomerInvitations(
  { tx, platform, now }: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  return cancelPendingOf(tx, platform.id, { inviterId: customerId, now })
}
