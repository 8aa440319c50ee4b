import { addMs, isPast, toWireTime } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import { nextState } from '../../kernel/machine.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import type { Work } from '../../infra/work.ts'
import { invitation, type InvitationEvent, type InvitationStatus } from './machine.ts'

export type Invitation = Readonly<{
  platformId: Id<'platform'>
  code: string
  inviterId: Id<'customer'>
  /** As it was when the invitation was made. */
  inviterUma: string
  /** The inviter's. */
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

/** An invitation, the platform that made it, and the time there: by that clock it lives and ends. */
export type OpenedInvitation = Readonly<{ invitation: Invitation; platform: Platform; now: Date }>

/** INV-9: at its end it reads EXPIRED, also while the job that says so is still to come. */
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

/** What the clock on the wall says, whatever the caller's platform takes the time to be. */
export const realTimeOf = ({ now, platform }: Pick<Work, 'now' | 'platform'>): Date =>
  addMs(now, -platform.clockOffsetMs)

/** INV-7: where an event leads. Fails: INVITATION_ALREADY_CLAIMED, INVITATION_CANCELLED, INVALID_INPUT once expired. */
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
