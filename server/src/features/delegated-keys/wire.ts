import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { DelegatedKey, DelegatedKeyStatus } from './delegated-key.ts'

export type WireDelegatedKey = {
  id: string
  cardId: string
  fundingSourceId: string
  accountId: string
  publicKey: string
  nickname: string
  status: DelegatedKeyStatus
  createdAt: string
  updatedAt: string
}

export function keyToWire(key: DelegatedKey): WireDelegatedKey {
  return {
    id: formatId('delegatedKey', key.id),
    cardId: formatId('card', key.cardId),
    fundingSourceId: formatId('cardFundingSource', key.fundingSourceId),
    accountId: formatId('internalAccount', key.accountId),
    publicKey: key.publicKey,
    nickname: key.nickname,
    status: key.status,
    createdAt: toWireTime(key.createdAt),
    updatedAt: toWireTime(key.updatedAt),
  }
}
