import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import type { Card } from './card.ts'
import { lockCard } from './find-card.ts'
import { announceCardState, movedCard } from './move-card.ts'
import { lockOpenCardsOf, saveCard } from './store.ts'

async function withdraw(work: Work, card: Card): Promise<Card> {
  const closed = movedCard(card, { event: 'withdraw', now: work.now })
  await saveCard(work.tx, work.platform.id, closed)
  await announceCardState(work, closed)
  return closed
}

/** The service closes a card by itself. Fails: REFERENCE_NOT_FOUND, CARD_ALREADY_CLOSED. */
export const closeCard = async (work: Work, id: Id<'card'>): Promise<Card> =>
  withdraw(work, await lockCard(work, id))

/** CARD-31: with its holder every card ends. */
export async function closeCustomerCards(
  work: Work,
  { customerId }: { customerId: Id<'customer'> },
): Promise<void> {
  const cards = await lockOpenCardsOf(work.tx, work.platform.id, customerId)
  for (const card of cards) await withdraw(work, card)
}
