import type { Static } from 'typebox'
import { Type } from '../../infra/http/schema/type.ts'
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
const umaAddress = (description: string) => Type.String({ description })

export const InvitationCreateSchema = object('UmaInvitationCreateRequest', {
  inviterUma: umaAddress('UMA address of one of the platform’s customers.'),
  firstName: Type.Optional(text(255, 'The inviter’s, as the invitation shows it.')),
  amountToSend: Type.Optional(
    amount({ description: 'In the first of the inviter’s currencies. Moves no money.' }),
  ),
  expiresAt: Type.Optional(timestamp('In the future.')),
})

export const InvitationClaimSchema = object('UmaInvitationClaimRequest', {
  inviteeUma: umaAddress('UMA address of one of the claiming platform’s customers.'),
})

export const InvitationSchema = object('UmaInvitation', {
  code: Type.String(),
  createdAt: timestamp(),
  claimedAt: Type.Optional(timestamp()),
  url: Type.String({ description: 'The page that the invitee opens.' }),
  expiresAt: Type.Optional(timestamp()),
  inviterUma: Type.String(),
  inviteeUma: Type.Optional(
    Type.String({ description: 'Shown to the inviting and to the claiming platform.' }),
  ),
  status: oneOf(INVITATION_STATUSES),
  firstName: Type.Optional(Type.String()),
  amountToSend: Type.Optional(MoneySchema),
})

export type InvitationCreateBody = Static<typeof InvitationCreateSchema>
export type InvitationBody = Static<typeof InvitationSchema>
