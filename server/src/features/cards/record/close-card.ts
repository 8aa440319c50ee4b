import { formatId, type Id } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/internal-events.ts'
import type { Work } from '../../../infra/work.ts'
import { asOf, type Card } from './card.ts'
import { listOpenOf } from '../transaction/store.ts'
import { lockCard } from './find-card.ts'
import { announceCardStates, movedCard } from './move-card.ts'
import { lockCardRow, lockOpenCardsOf, saveCards } from './store.ts'

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

/** Locks the cards of a customer that is to be deleted: nothing new is authorized. Refuses nothing. */
export async function holdCustomerCards(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deletionAsked'],
): Promise<void> {
  await lockOpenCardsOf(tx, platform.id, customerId)
}

/** What is reserved or still being pulled for a card transaction stands against a deletion (CUST-62). */
export async function findOpenAuthorizations(
  { tx, platform }: Work,
  { customerId, obstacles }: InternalEvents['customers.deletionAsked'],
): Promise<void> {
  const open = await listOpenOf(tx, platform.id, customerId)
  if (open.length === 0) return
  const cardTransactionIds = open.map((id) => formatId('cardTransaction', id))
  obstacles.push({ reason: 'CARD_AUTHORIZATION_OPEN', cardTransactionIds })
}

/** CARD-31: with its holder every card ends. */
export async function closeCustomerCards(
  work: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  const cards = await lockOpenCardsOf(work.tx, work.platform.id, customerId)
  const closed = cards.map((card) => withdrawn(card, work.now))
  if (closed.length > 0) await save(work, closed)
}

/** CARD-13: a card that was closed before does not expire any more. */
export async function expireCard(work: Work, id: Id<'card'>): Promise<void> {
  const { tx, platform, now } = work
  const card = await lockCardRow(tx, platform.id, id)
  if (!card || asOf(card, now) === card) return
  await save(work, [movedCard(card, { event: 'expire', now })])
}
