import { formatId, type Id } from '../../../kernel/ids.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { cardAt, type Card } from './card.ts'
import { listOpenTransactions } from '../transaction/store.ts'
import { lockCard } from './find-card.ts'
import { movedCard, saveAndPublish } from './move-card.ts'
import { lockCardRow, lockOpenCardsOf } from './store.ts'

const withdrawn = (card: Card, now: Date): Card => movedCard(card, { event: 'withdraw', now })

/** Closes a card on behalf of the service. Fails: REFERENCE_NOT_FOUND, CARD_ALREADY_CLOSED. */
export async function closeCard(work: Work, id: Id<'card'>): Promise<Card> {
  const closed = withdrawn(await lockCard(work, id), work.now)
  await saveAndPublish(work, [closed])
  return closed
}

/** Freezes or closes a card that the network or processor stopped, unless it is stopped already. Fails: INVALID_STATE_TRANSITION. */
export async function stopCard(
  work: Work,
  id: Id<'card'>,
  state: 'FROZEN' | 'CLOSED',
): Promise<void> {
  const card = await lockCard(work, id)
  if (card.state === state || card.state === 'CLOSED') return
  const event = state === 'FROZEN' ? 'freeze' : 'withdraw'
  await saveAndPublish(work, [movedCard(card, { event, now: work.now })])
}

/** Locks the cards of a customer that is to be deleted, so that nothing new is authorized. Refuses nothing. */
export async function lockCustomerCards(
  { tx, platform }: Work,
  { customerId }: InternalEvents['customers.deletionRequested'],
): Promise<void> {
  await lockOpenCardsOf(tx, platform.id, customerId)
}

/** A card transaction with money reserved or a pending pull prevents the deletion of its customer (CUST-62). */
export async function addOpenAuthorizationObstacle(
  { tx, platform }: Work,
  { customerId, obstacles }: InternalEvents['customers.deletionChecked'],
): Promise<void> {
  const open = await listOpenTransactions(tx, platform.id, customerId)
  if (open.length === 0) return
  const cardTransactionIds = open.map((id) => formatId('cardTransaction', id))
  obstacles.push({ reason: 'CARD_AUTHORIZATION_OPEN', cardTransactionIds })
}

/** Closes every card of a deleted customer (CARD-31). */
export async function closeCustomerCards(
  work: Work,
  { customerId }: InternalEvents['customers.deleting'],
): Promise<void> {
  const cards = await lockOpenCardsOf(work.tx, work.platform.id, customerId)
  const closed = cards.map((card) => withdrawn(card, work.now))
  if (closed.length > 0) await saveAndPublish(work, closed)
}

/** Records the expiry of a card, unless it was closed before (CARD-13). */
export async function expireCard(work: Work, id: Id<'card'>): Promise<void> {
  const { tx, platform, now } = work
  const card = await lockCardRow(tx, platform.id, id)
  if (!card || cardAt(card, now) === card) return
  await saveAndPublish(work, [movedCard(card, { event: 'expire', now })])
}
