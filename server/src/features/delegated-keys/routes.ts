import { Type } from '../../infra/http/schema/type.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { failNotFound, mustParseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { noContent, reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { isFinal, ProcessingSchema, signedHeaders, SIGNED_REFUSALS } from '../wallet-auth/index.ts'
import { createDelegatedKey } from './create-delegated-key.ts'
import { revokeDelegatedKey } from './revoke-delegated-key.ts'
import {
  DelegatedKeyChallengeSchema,
  DelegatedKeyCreateSchema,
  DelegatedKeyListSchema,
  DelegatedKeyQuerySchema,
  DelegatedKeySchema,
} from './schema.ts'
import { findKey, listKeys } from './store.ts'
import { keyToWire } from './wire.ts'

const tag = 'Embedded Wallet Auth'
const params = Type.Object({
  delegatedKeyId: pathId('Id of the delegated key, `DelegatedKey:<uuid>`.'),
})

/** One filter is required, since the list would otherwise cover the whole platform (DKEY-5). */
function checkOneFilter(query: unknown): FieldError[] {
  const { accountId, fundingSourceId } = (query ?? {}) as Record<string, unknown>
  if (accountId !== undefined || fundingSourceId !== undefined) return []
  const message = 'is required unless the other one is given'
  return ['accountId', 'fundingSourceId'].map((field) => ({ field, message }))
}

export const routes: readonly Operation[] = [
  write({
    id: 'createDelegatedKey',
    method: 'POST',
    path: '/auth/delegated-keys',
    tag,
    needs: 'TRANSACT',
    summary: 'Let a card spend from a wallet',
    description: 'Three legs: unsigned, signed, and signed once more over the second challenge.',
    headers: signedHeaders,
    body: DelegatedKeyCreateSchema,
    example: {
      cardId: 'Card:019a0000-0000-7000-8000-000000000001',
      internalAccountId: 'InternalAccount:019a0000-0000-7000-8000-000000000002',
      nickname: 'Card payments',
    },
    replies: { 200: ProcessingSchema, 201: DelegatedKeySchema, 202: DelegatedKeyChallengeSchema },
    errors: [...SIGNED_REFUSALS, 'REFERENCE_NOT_FOUND', 'CONFLICT'],
    keeps: isFinal,
    handler: ({ work, body, headers }) => createDelegatedKey(work, { body, headers }),
  }),
  read({
    id: 'listDelegatedKeys',
    path: '/auth/delegated-keys',
    tag,
    needs: 'VIEW',
    summary: 'List delegated keys',
    description: 'Keys by which cards spend from embedded wallets, newest first.',
    query: DelegatedKeyQuerySchema,
    replies: { 200: DelegatedKeyListSchema },
    check: ({ query }) => checkOneFilter(query),
    handler: async ({ work: { tx, platform }, query }) => {
      const { accountId, fundingSourceId } = query
      const keys = await listKeys(tx, platform.id, {
        accountId: accountId === undefined ? undefined : mustParseId('internalAccount', accountId),
        fundingSourceId:
          fundingSourceId === undefined
            ? undefined
            : mustParseId('cardFundingSource', fundingSourceId),
      })
      return reply(200, { data: keys.map(keyToWire) })
    },
  }),
  read({
    id: 'getDelegatedKeyById',
    path: '/auth/delegated-keys/{delegatedKeyId}',
    tag,
    needs: 'VIEW',
    summary: 'Read a delegated key',
    description: 'Card, wallet and state of the key.',
    params,
    replies: { 200: DelegatedKeySchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work: { tx, platform }, params: { delegatedKeyId } }) => {
      const key = await findKey(tx, platform.id, mustParseId('delegatedKey', delegatedKeyId))
      return reply(200, keyToWire(key ?? failNotFound('delegatedKey')))
    },
  }),
  write({
    id: 'revokeDelegatedKey',
    method: 'DELETE',
    path: '/auth/delegated-keys/{delegatedKeyId}',
    tag,
    needs: 'TRANSACT',
    summary: 'Revoke a delegated key',
    description:
      'The card can no longer spend from the wallet. Only an `ACTIVE` key can be revoked; it needs no signature.',
    params,
    replies: { 204: null },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params: { delegatedKeyId } }) => {
      await revokeDelegatedKey(work, mustParseId('delegatedKey', delegatedKeyId))
      return noContent()
    },
  }),
]
