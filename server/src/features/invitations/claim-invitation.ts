import { failFields, mustHaveNoErrors } from '../../kernel/errors.ts'
import type { Work } from '../../infra/work/work.ts'
import { emit } from '../../webhooks/emit.ts'
import { lockCustomerByUma } from '../customers/index.ts'
import { malformedUma, readUma } from './check-uma.ts'
import { lockInvitation, mustFindInvitation } from './find-invitation.ts'
import { stateAfter, type Invitation } from './invitation.ts'
import { saveInvitation } from './store.ts'
import { invitationToWire } from './wire.ts'

const FIELD = 'inviteeUma'

type Claim = Readonly<{ code: string; inviteeUma: string }>

/**
 * Claims an invitation for one of the caller's customers and emits an event to the platform that made it (INV-11). The
 * customer is locked before the invitation, in the order of a deletion.
 * Fails: INVALID_UMA_ADDRESS, INVITATION_NOT_FOUND, INVALID_INPUT, INVITATION_ALREADY_CLAIMED, INVITATION_CANCELLED.
 */
export async function claimInvitation(work: Work, claim: Claim): Promise<Invitation> {
  const uma = readUma(claim.inviteeUma)
  mustHaveNoErrors(uma === undefined ? [malformedUma(FIELD)] : [])
  const { invitation: found } = await mustFindInvitation(work, claim.code)
  const invitee = uma === undefined ? undefined : await lockCustomerByUma(work, uma)
  if (!invitee) {
    const message = 'must be the UMA address of an active customer of the platform'
    return failFields([{ field: FIELD, message }])
  }
  if (invitee.umaAddress === found.inviterUma) {
    failFields([{ field: FIELD, message: 'must not be the inviter’s own address' }])
  }
  const { invitation, platform, now } = await lockInvitation(work, claim.code)
  const claimed: Invitation = {
    ...invitation,
    status: stateAfter(invitation, 'claim'),
    inviteePlatformId: work.platform.id,
    inviteeUma: invitee.umaAddress,
    claimedAt: now,
  }
  saveInvitation(work.tx, claimed)
  const { settings, outbox } = work
  const shown = invitationToWire(claimed, { to: platform.id, settings })
  emit({ platform, now, outbox }, 'INVITATION.CLAIMED', shown)
  return claimed
}
