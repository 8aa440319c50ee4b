import { Type } from '../../infra/http/schema/type.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import type { Work } from '../../infra/work/work.ts'
import { cancelInvitation } from './cancel-invitation.ts'
import { checkStoredCreation } from './check-creation.ts'
import { claimInvitation } from './claim-invitation.ts'
import { createInvitation } from './create-invitation.ts'
import { mustFindInvitation } from './find-invitation.ts'
import type { Invitation } from './invitation.ts'
import { InvitationClaimSchema, InvitationCreateSchema, InvitationSchema } from './schema.ts'
import { invitationToWire } from './wire.ts'

const tag = 'Invitations'
const params = Type.Object({ invitationCode: pathId('Code of the invitation.') })
const ended = [
  'INVITATION_NOT_FOUND',
  'INVITATION_ALREADY_CLAIMED',
  'INVITATION_CANCELLED',
] as const

const shown = ({ platform, settings }: Work, invitation: Invitation) =>
  invitationToWire(invitation, { to: platform.id, settings })

export const routes: readonly Operation[] = [
  write({
    id: 'createInvitation',
    method: 'POST',
    path: '/invitations',
    tag,
    needs: 'MANAGE',
    summary: 'Invite somebody in the name of a customer',
    description: 'Answers a link for a person who has no UMA address yet. It moves no money.',
    body: InvitationCreateSchema,
    example: { inviterUma: '$ana@example.com', firstName: 'Ana', amountToSend: 5000 },
    replies: { 201: InvitationSchema },
    errors: ['INVALID_UMA_ADDRESS', 'INVITATIONS_NOT_CONFIGURED'],
    checkStored: ({ body }, reading) => checkStoredCreation(reading, body),
    // A stored answer holds the code.
    sealStoredReply: true,
    handler: async ({ work, body }) => reply(201, shown(work, await createInvitation(work, body))),
  }),
  read({
    id: 'getInvitation',
    path: '/invitations/{invitationCode}',
    tag,
    needs: 'VIEW',
    summary: 'Read an invitation',
    description: 'Also one that another platform made: any platform with the code may read it.',
    params,
    replies: { 200: InvitationSchema },
    errors: ['INVITATION_NOT_FOUND'],
    handler: async ({ work, params: { invitationCode } }) => {
      const { invitation } = await mustFindInvitation(work, invitationCode)
      return reply(200, shown(work, invitation))
    },
  }),
  write({
    id: 'claimInvitation',
    method: 'POST',
    path: '/invitations/{invitationCode}/claim',
    tag,
    needs: 'MANAGE',
    summary: 'Claim an invitation for a customer',
    description: 'The platform that made the invitation hears of it by INVITATION.CLAIMED.',
    params,
    body: InvitationClaimSchema,
    example: { inviteeUma: '$bob@example.com' },
    replies: { 200: InvitationSchema },
    errors: [...ended, 'INVALID_UMA_ADDRESS'],
    sealStoredReply: true,
    handler: async ({ work, params: { invitationCode: code }, body: { inviteeUma } }) =>
      reply(200, shown(work, await claimInvitation(work, { code, inviteeUma }))),
  }),
  write({
    id: 'cancelInvitation',
    method: 'POST',
    path: '/invitations/{invitationCode}/cancel',
    tag,
    needs: 'MANAGE',
    summary: 'Cancel an invitation',
    description: 'Only the platform that made it may.',
    params,
    replies: { 200: InvitationSchema },
    errors: [...ended],
    sealStoredReply: true,
    handler: async ({ work, params: { invitationCode } }) =>
      reply(200, shown(work, await cancelInvitation(work, invitationCode))),
  }),
]
