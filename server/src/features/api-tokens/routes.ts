import { Type } from '../../infra/http/schema/type.ts'
import { checkName } from '../../kernel/text/check-name.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { noContent, reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { createToken } from './create-token.ts'
import { deleteToken } from './delete-token.ts'
import { mustFindToken } from './find-token.ts'
import { listTokens } from './list-tokens.ts'
import {
  ApiTokenCreateSchema,
  ApiTokenSchema,
  TokenListQuerySchema,
  TokenListSchema,
  type ApiTokenBody,
} from './schema.ts'
import { tokenToWire } from './wire.ts'

const tag = 'API Tokens'
const params = Type.Object({ tokenId: pathId('Id of the API token, `Token:<uuid>`.') })

export const routes: readonly Operation[] = [
  write({
    id: 'createToken',
    method: 'POST',
    path: '/tokens',
    tag,
    needs: 'MANAGE',
    summary: 'Create an API token',
    description:
      'The secret is shown once. A token can grant only permissions that it holds itself.',
    body: ApiTokenCreateSchema,
    example: { name: 'reporting', permissions: ['VIEW'] },
    replies: { 201: ApiTokenSchema },
    check: ({ body }) => checkName(body),
    forReplay: withoutSecret,
    handler: async ({ work, body }) => {
      const { token, clientSecret } = await createToken(work, body)
      return reply(201, { ...tokenToWire(token), clientSecret })
    },
  }),
  read({
    id: 'listTokens',
    path: '/tokens',
    tag,
    needs: 'VIEW',
    summary: 'List API tokens',
    description: 'Newest first, without their secrets.',
    query: TokenListQuerySchema,
    replies: { 200: TokenListSchema },
    handler: async ({ work, query }) => {
      const page = await listTokens(work, query)
      return reply(200, { ...page, data: page.data.map(tokenToWire) })
    },
  }),
  read({
    id: 'getTokenById',
    path: '/tokens/{tokenId}',
    tag,
    needs: 'VIEW',
    summary: 'Read an API token',
    description: 'Name and permissions; the secret was shown when the token was created.',
    params,
    replies: { 200: ApiTokenSchema },
    errors: ['TOKEN_NOT_FOUND'],
    handler: async ({ work, params }) =>
      reply(200, tokenToWire(await mustFindToken(work, mustParseId('token', params.tokenId)))),
  }),
  write({
    id: 'deleteTokenById',
    method: 'DELETE',
    path: '/tokens/{tokenId}',
    tag,
    needs: 'MANAGE',
    summary: 'Delete an API token',
    description: 'It stops working at once. A token cannot delete itself.',
    params,
    replies: { 204: null },
    errors: ['INVALID_INPUT', 'TOKEN_NOT_FOUND'],
    // A caller deleted meanwhile is refused like an unknown one; the refusal is not stored for other tokens.
    keeps: ({ status }) => status !== 401,
    handler: async ({ work, params }) => {
      await deleteToken(work, mustParseId('token', params.tokenId))
      return noContent()
    },
  }),
]

/** The stored answer of a replay has no secret (TOK-3). */
function withoutSecret(body: ApiTokenBody): unknown {
  const { clientSecret: _secret, ...rest } = body
  return rest
}
