import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  MoneySchema,
  amount,
  object,
  oneOf,
  text,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { INVITATION_STATUSES } from './machine.ts'

// Without a length: whatever is wrong with it, it is one and the same error (INV-1, INV-6).
export const InvitationCreateSchema = object('UmaInvitationCreateRequest', {
  inviterUma: Type.String(),
  firstName: Type.Optional(text(255)),
  amountToSend: Type.Optional(amount()),
  expiresAt: Type.Optional(timestamp('In the future.')),
})

export const InvitationClaimSchema = object('UmaInvitationClaimRequest', {
  inviteeUma: Type.String(),
})

export const InvitationSchema = object('UmaInvitation', {
  code: Type.String(),
  createdAt: timestamp(),
  claimedAt: Type.Optional(timestamp()),
  url: Type.String(),
  expiresAt: Type.Optional(timestamp()),
  inviterUma: Type.String(),
  inviteeUma: Type.Optional(Type.String()),
  status: oneOf(INVITATION_STATUSES),
  firstName: Type.Optional(Type.String()),
  amountToSend: Type.Optional(MoneySchema),
})

export type InvitationCreateBody = Static<typeof InvitationCreateSchema>
export type InvitationBody = Static<typeof InvitationSchema>
