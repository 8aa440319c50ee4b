import { Type, type Static } from '../../infra/http/schema/type.ts'
import { idField, object, oneOf, text, timestamp } from '../../infra/http/schema/wire-schema.ts'
import { DELEGATED_KEY_STATUSES } from './delegated-key.ts'

export const DelegatedKeyCreateSchema = object('DelegatedKeyCreateRequest', {
  cardId: idField('card'),
  internalAccountId: idField('internalAccount', 'An `EMBEDDED_WALLET` that funds the card.'),
  nickname: text(256),
})

export type DelegatedKeyCreateBody = Static<typeof DelegatedKeyCreateSchema>

export const DelegatedKeySchema = object('DelegatedKey', {
  id: idField('delegatedKey'),
  cardId: idField('card'),
  fundingSourceId: idField('cardFundingSource'),
  accountId: idField('internalAccount'),
  publicKey: Type.String(),
  nickname: Type.String(),
  status: oneOf(DELEGATED_KEY_STATUSES),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

export const DelegatedKeyListSchema = object('DelegatedKeyListResponse', {
  data: Type.Array(DelegatedKeySchema),
})

export const DelegatedKeyQuerySchema = Type.Object({
  accountId: Type.Optional(idField('internalAccount')),
  fundingSourceId: Type.Optional(idField('cardFundingSource')),
})

export const DelegatedKeyChallengeSchema = object('DelegatedKeySignedRequestChallenge', {
  payloadToSign: Type.String(),
  requestId: idField('request'),
  expiresAt: timestamp(),
})
