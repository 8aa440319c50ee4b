import { parseWireTime } from '../../kernel/clock.ts'
import { fail, mustHaveNoErrors } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import { amountFromWire } from '../../kernel/money/wire-money.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockCustomerByUma } from '../customers/index.ts'
import { findOnboardingUrl } from '../platform/index.ts'
import { checkCreation } from './check-creation.ts'
import { readUma } from './check-uma.ts'
import { newInvitationCode } from './invitation-code.ts'
import type { Invitation } from './invitation.ts'
import { expireInvitationJob } from './job-definitions.ts'
import { invitation as machine } from './machine.ts'
import type { InvitationCreateBody } from './schema.ts'
import { insertInvitation } from './store.ts'

/**
 * Creates an invitation in the name of a customer, whose row is locked, so that its deletion finds the invitation.
 * Fails: INVALID_UMA_ADDRESS, INVALID_INPUT, INVITATIONS_NOT_CONFIGURED.
 */
export async function createInvitation(
  work: Work,
  request: InvitationCreateBody,
): Promise<Invitation> {
  const { tx, platform, now } = work
  const uma = readUma(request.inviterUma)
  const inviter = uma === undefined ? undefined : await lockCustomerByUma(work, uma)
  mustHaveNoErrors(checkCreation(request, { now, inviter }))
  invariant(inviter, 'an invitation whose inviter is unknown was refused')
  await mustBeConfigured(work)
  const { amountToSend, firstName, expiresAt } = request
  const invitation: Invitation = {
    platformId: platform.id,
    code: newInvitationCode(),
    inviterId: inviter.id,
    inviterUma: inviter.umaAddress,
    firstName: firstName ?? null,
    amount: amountToSend === undefined ? null : amountFromWire(amountToSend),
    currency: amountToSend === undefined ? null : (inviter.currencies[0] ?? null),
    status: machine.initial,
    expiresAt: parseWireTime(expiresAt ?? '') ?? null,
    inviteePlatformId: null,
    inviteeUma: null,
    claimedAt: null,
    createdAt: now,
  }
  insertInvitation(tx, invitation)
  if (invitation.expiresAt) {
    const { code, expiresAt: dueAt } = invitation
    enqueue(work, expireInvitationJob, { code }, { dueAt })
  }
  return invitation
}

/** In production an invitation needs the platform's onboarding page (INV-12). */
async function mustBeConfigured(work: Work): Promise<void> {
  if (!traitsOf(work.platform).sendsMessages) return
  const url = await findOnboardingUrl(work)
  if (url === undefined) fail('INVITATIONS_NOT_CONFIGURED')
}
