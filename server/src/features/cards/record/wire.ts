import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import type { Card } from './card.ts'
import type { WireCard } from '../schema.ts'

export function cardToWire(card: Card): WireCard {
  const customerId = formatId('customer', card.customerId)
  const fundingSources = card.fundingAccountIds.map((id) => formatId('internalAccount', id))
  const [fundingSource] = fundingSources
  invariant(fundingSource !== undefined, 'A card has a funding source.')
  const { stateReason, maxSpendPerTransaction: limit } = card
  return {
    id: formatId('card', card.id),
    customerId,
    cardholderId: customerId,
    platformCardId: card.platformCardId,
    state: card.state,
    ...(stateReason !== null && { stateReason }),
    form: 'VIRTUAL',
    ...card.provisioned,
    fundingSource,
    fundingSources,
    maxSpendPerTransaction: limit === null ? null : amountToWire(limit),
    currency: card.currency,
    createdAt: toWireTime(card.createdAt),
    updatedAt: toWireTime(card.updatedAt),
  }
}
