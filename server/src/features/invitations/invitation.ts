import { addMs, isPast, toWireTime } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import { nextState } from '../../kernel/machine.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import type { Work } from '../../infra/work/work.ts'
import { invitation, type InvitationEvent, type InvitationStatus } from './machine.ts'

export type Invitation = Readonly<{
  platformId: Id<'platform'>
  code: string
  inviterId: Id<'customer'>
  /** The address when the invitation was made. */
  inviterUma: string
  /** The first name of the inviter. */
  firstName: string | null
  amount: bigint | null
  currency: string | null
  status: InvitationStatus
  expiresAt: Date | null
  inviteePlatformId: Id<'platform'> | null
  inviteeUma: string | null
  claimedAt: Date | null
  createdAt: Date
}>

/** An invitation with the platform that made it and the time of that platform, which decides the expiry. */
export type OpenedInvitation = Readonly<{ invitation: Invitation; platform: Platform; now: Date }>

/** A passed deadline reads EXPIRED, also before its job has run (INV-9). */
function statusAt({ status, expiresAt }: Invitation, now: Date): InvitationStatus {
  const isOver = expiresAt !== null && isPast({ deadline: expiresAt, now })
  return (isOver ? nextState(invitation, status, 'expire') : undefined) ?? status
}

export function openedAt(
  { invitation: stored, platform }: Omit<OpenedInvitation, 'now'>,
  realTime: Date,
): OpenedInvitation {
  const now = platformTime(platform, realTime)
  return { invitation: { ...stored, status: statusAt(stored, now) }, platform, now }
}

/** Real time, without the offset of the caller's platform. */
export const realTimeOf = ({ now, platform }: Pick<Work, 'now' | 'platform'>): Date =>
  addMs(now, -platform.clockOffsetMs)

/** The status after an event (INV-7). Fails: INVITATION_ALREADY_CLAIMED, INVITATION_CANCELLED, INVALID_INPUT once expired. */
export function stateAfter(
  { status, expiresAt }: Invitation,
  event: InvitationEvent,
): InvitationStatus {
  const next = nextState(invitation, status, event)
  if (next !== undefined) return next
  if (status === 'CLAIMED') fail('INVITATION_ALREADY_CLAIMED')
  if (status === 'CANCELLED') fail('INVITATION_CANCELLED')
  return fail('INVALID_INPUT', {
    reason: 'INVITATION_EXPIRED',
    ...(expiresAt && { expiresAt: toWireTime(expiresAt) }),
  })
}
