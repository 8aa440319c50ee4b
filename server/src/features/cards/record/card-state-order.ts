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

type Stated = Readonly<{
  providerId: Id<'provider'>
  cardId: Id<'card'>
  processorRef: string
  state: Card['state']
  version: number
}>

/** Tells the processor what a card is now; an order that says what it was before ends (PROV-111). */
export async function orderState(
  work: Work,
  { providerId, cardId, ...stated }: Stated,
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

/** Of cards that moved after their activation and are known to a processor outside. */
export async function orderStates(work: Work, cards: readonly Card[]): Promise<void> {
  const orders = cards.map(async (card) => {
    const { id: cardId, providerId, provisioned, state, stateVersion: version } = card
    if (providerId === null || !provisioned || version === 0) return
    const { processorRef } = provisioned
    await orderState(work, { providerId, cardId, processorRef, state, version })
  })
  await Promise.all(orders)
}

/** Our own decisions follow the new state at once, whatever becomes of the order. */
export const cardStateOrder: OrderKind = {
  types: ['CARD_STATE'],
  port: 'cards',
  lock: async (work, order) => void (await lockCard(work, cardIdOf(order))),
  body: async (_work, { request }) => request,
  redact: withoutCardNumbers,
  async failed(work, { providerId, id: orderId, subject }, { reason }) {
    const details = { reason }
    openException(work, { type: 'STATE_REFUSED', providerId, orderId, subject, details })
  },
}
