import { formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  openException,
  placeOrder,
  supersedeOrder,
  type Order,
  type OrderKind,
} from '../../../orders/index.ts'
import { withoutCardNumbers } from '../issuance/number.ts'
import type { Card } from './card.ts'
import { lockCard } from './find-card.ts'

/** The card that an order is about. */
export function cardIdOf({ subject }: Pick<Order, 'subject'>): Id<'card'> {
  invariant(subject !== null, 'An order about a card names it.')
  return mustParseId('card', subject)
}

type NewCardState = Readonly<{
  providerId: Id<'provider'>
  cardId: Id<'card'>
  processorRef: string
  state: Card['state']
  version: number
}>

/** Orders the processor to set the card's state; supersedes an open order with an earlier state (PROV-111). */
export async function placeStateOrder(
  work: Work,
  { providerId, cardId, ...stated }: NewCardState,
): Promise<void> {
  const subject = formatId('card', cardId)
  await supersedeOrder(work, { type: 'CARD_STATE', subject })
  placeOrder(work, {
    type: 'CARD_STATE',
    provider: { id: providerId },
    subject,
    request: { cardId: subject, ...stated },
  })
}

/** Places orders for cards that an outside processor knows and that changed after their activation. */
export async function placeStateOrders(work: Work, cards: readonly Card[]): Promise<void> {
  const orders = cards.map(async (card) => {
    const { id: cardId, providerId, provisioned, state, stateVersion: version } = card
    if (providerId === null || !provisioned || version === 0) return
    const { processorRef } = provisioned
    await placeStateOrder(work, { providerId, cardId, processorRef, state, version })
  })
  await Promise.all(orders)
}

/** Our own decisions use the new state at once, whether or not the processor accepts the order. */
export const cardStateOrder: OrderKind = {
  types: ['CARD_STATE'],
  port: 'cards',
  lock: async (work, order) => void (await lockCard(work, cardIdOf(order))),
  body: async (_work, { request }) => request,
  redact: withoutCardNumbers,
  async onFailed(work, { providerId, id: orderId, subject }, { reason }) {
    const details = { reason }
    openException(work, { type: 'STATE_REFUSED', providerId, orderId, subject, details })
  },
}
