import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import type { Card } from './card.ts'
import { lockCard } from './find-card.ts'
import { announceCardStates, movedCard } from './move-card.ts'
import { lockOpenCardsOf, saveCards } from './store.ts'

const withdrawn = (card: Card, now: Date): Card => movedCard(card, { event: 'withdraw', now })

async function save(work: Work, closed: readonly Card[]): Promise<void> {
  await saveCards(work.tx, work.platform.id, closed)
  await announceCardStates(work, closed)
}

/** The service closes a card by itself. Fails: REFERENCE_NOT_FOUND, CARD_ALREADY_CLOSED. */
export async function closeCard(work: Work, id: Id<'card'>): Promise<Card> {
  const closed = withdrawn(await lockCard(work, id), work.now)
  await save(work, [closed])
  return closed
}

/** CARD-31: with its holder every card ends. */
export async function closeCustomerCards(
  work: Work,
  { customerId }: { customerId: Id<'customer'> },
): Promise<void> {
  const cards = await lockOpenCardsOf(work.tx, work.platform.id, customerId)
  const closed = cards.map((card) => withdrawn(card, work.now))
  if (closed.length > 0) await save(work, closed)
}
