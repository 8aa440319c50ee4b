import { fail } from '../../kernel/errors.ts'
import type { Work } from '../../infra/work.ts'
import { lockInvitation, mustFindInvitation } from './find-invitation.ts'
import { stateAfter, type Invitation } from './invitation.ts'
import { saveInvitation } from './store.ts'

/**
 * Takes an invitation back. Only the platform that made it may (INV-8).
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
