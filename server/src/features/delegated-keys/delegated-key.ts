import type { Id } from '../../kernel/ids.ts'

export const DELEGATED_KEY_STATUSES = ['PENDING', 'ACTIVE', 'REVOKED'] as const
export type DelegatedKeyStatus = (typeof DELEGATED_KEY_STATUSES)[number]

/** A key of the service that may pay for a card from a wallet; its private half never leaves the service. */
export type DelegatedKey = Readonly<{
  id: Id<'delegatedKey'>
  cardId: Id<'card'>
  fundingSourceId: Id<'cardFundingSource'>
  accountId: Id<'internalAccount'>
  /** Compressed hex. */
  publicKey: string
  nickname: string
  status: DelegatedKeyStatus
  createdAt: Date
  updatedAt: Date
}>
