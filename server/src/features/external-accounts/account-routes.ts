/** Operations on one external account, alike for customers' accounts and the platform's own (EACC-13). */
import { Type } from '../../infra/http/schema/type.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { noContent, reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { challengeOwnership } from './ownership/challenge-ownership.ts'
import { deleteExternalAccount } from './records/delete-external-account.ts'
import type { Reach } from './external-account.ts'
import { mustFindExternalAccount } from './records/find-external-account.ts'
import {
  ExternalAccountSchema,
  OwnershipChallengeRequest,
  OwnershipChallengeSchema,
  OwnershipVerifyRequest,
} from './schema.ts'
import { verifyOwnership } from './ownership/verify-ownership.ts'
import { accountToWire, challengeToWire } from './wire.ts'

type Place = Readonly<{ base: string; reach: Reach }>

const tag = 'External Accounts'
const params = Type.Object({
  externalAccountId: pathId('Id of the external account, `ExternalAccount:<uuid>`.'),
})

const idOf = ({ externalAccountId }: { externalAccountId: string }) =>
  mustParseId('externalAccount', externalAccountId)

/** Refusals of a change when the account or its customer is deleted (CUST-69). */
const notFoundCodes = (reach: Reach): readonly ErrorCode[] =>
  reach === 'platform' ? ['REFERENCE_NOT_FOUND'] : ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND']

export const readRoute = (id: string, { base, reach }: Place): Operation =>
  read({
    id,
    path: `${base}/{externalAccountId}`,
    tag,
    needs: 'VIEW',
    summary: 'Read an external account',
    description: 'Details, status and name check of the account.',
    params,
    replies: { 200: ExternalAccountSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params }) =>
      reply(200, accountToWire(await mustFindExternalAccount(work, idOf(params), reach))),
  })

export const deleteRoute = (id: string, { base, reach }: Place): Operation =>
  write({
    id,
    method: 'DELETE',
    path: `${base}/{externalAccountId}`,
    tag,
    needs: 'MANAGE',
    summary: 'Delete an external account',
    description: 'Payments under way go on; a quote to it can no longer be executed.',
    params,
    replies: { 204: null },
    errors: [...notFoundCodes(reach), 'BENEFICIARY_TRUSTED'],
    handler: async ({ work, params }) => {
      await deleteExternalAccount(work, idOf(params), reach)
      return noContent()
    },
  })

export const challengeRoute = (id: string, { base, reach }: Place): Operation =>
  write({
    id,
    method: 'POST',
    path: `${base}/{externalAccountId}/challenge`,
    tag,
    needs: 'MANAGE',
    summary: 'Ask for a proof that a wallet is its holder’s',
    description: 'A new challenge ends the former one, of either method.',
    params,
    body: OwnershipChallengeRequest,
    example: { method: 'WALLET_SIGNATURE' },
    replies: { 201: OwnershipChallengeSchema },
    errors: [...notFoundCodes(reach), 'CONFLICT'],
    sealStoredReply: true,
    handler: async ({ work, params, body: { method } }) =>
      reply(
        201,
        challengeToWire(await challengeOwnership(work, { id: idOf(params), method, reach })),
      ),
  })

export const verifyRoute = (id: string, { base, reach }: Place): Operation =>
  write({
    id,
    method: 'POST',
    path: `${base}/{externalAccountId}/verify`,
    tag,
    needs: 'MANAGE',
    summary: 'Prove by signature that a wallet is its holder’s',
    description: 'One try for each challenge: a wrong or late signature spends it.',
    params,
    body: OwnershipVerifyRequest,
    example: { signature: '2wV3TQKgmu5XyyhzAjuDyiEKRiAwtsDRGVpUYTk', signatureScheme: 'bip137' },
    replies: { 200: ExternalAccountSchema },
    errors: [...notFoundCodes(reach), 'CONFLICT'],
    handler: async ({ work, params, body: { signature, signatureScheme: scheme = 'bip137' } }) => {
      const request = { id: idOf(params), signature, scheme, reach }
      const verified = await verifyOwnership(work, request)
      return verified.ok ? reply(200, accountToWire(verified.account)) : verified
    },
  })
