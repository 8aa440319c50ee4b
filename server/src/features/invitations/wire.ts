import { toWireTime } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { moneyToWire } from '../../kernel/money/wire-money.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import type { Invitation } from './invitation.ts'
import type { InvitationBody } from './schema.ts'

type Showing = Readonly<{ to: Id<'platform'>; settings: Pick<Settings, 'publicUrl'> }>

/** The invitee is shown only to the inviting and the claiming platform (INV-13). */
export function invitationToWire(
  invitation: Invitation,
  { to, settings }: Showing,
): InvitationBody {
  const { platformId, inviteePlatformId, code, status, firstName, inviterUma } = invitation
  const { claimedAt, expiresAt, inviteeUma, amount, currency } = invitation
  const isConcerned = to === platformId || to === inviteePlatformId
  return {
    code,
    createdAt: toWireTime(invitation.createdAt),
    ...(claimedAt && { claimedAt: toWireTime(claimedAt) }),
    url: `${settings.publicUrl}/i/${code}`,
    ...(expiresAt && { expiresAt: toWireTime(expiresAt) }),
    inviterUma,
    ...(inviteeUma !== null && isConcerned && { inviteeUma }),
    status,
    ...(firstName !== null && { firstName }),
    ...(amount !== null &&
      currency !== null && { amountToSend: moneyToWire({ amount, currency }) }),
  }
}
