import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { Card, CardStateReason } from './card.ts'
import { dropDelegatedKeys } from '../funding/store.ts'
import { placeStateOrders } from './card-state-order.ts'
import { cardMachine, type CardEvent, type LiveCardState } from './machine.ts'
import { saveCards } from './store.ts'
import { cardToWire } from './wire.ts'

const CLOSING_REASONS: Partial<Record<CardEvent, CardStateReason>> = {
  reject: 'ISSUER_REJECTED',
  close: 'CLOSED_BY_PLATFORM',
  withdraw: 'CLOSED_BY_SERVICE',
  expire: 'CLOSED_BY_SERVICE',
}

/** The card in the state after the event; nothing is written. Fails: INVALID_STATE_TRANSITION, CARD_ALREADY_CLOSED. */
export function movedCard(
  card: Card,
  { event, now, to }: { event: CardEvent; now: Date; to?: LiveCardState },
): Card {
  const state = advance(cardMachine, card.state, event, to && { to })
  const stateVersion = card.stateVersion + (event === 'provision' ? 0 : 1)
  const stateReason = CLOSING_REASONS[event] ?? null
  return { ...card, state, stateReason, stateVersion, updatedAt: now }
}

/** Saves moved cards and publishes their new states. */
export async function saveAndPublish(work: Work, cards: readonly Card[]): Promise<void> {
  await saveCards(work.tx, work.platform.id, cards)
  await publishStateChanges(work, cards)
}

/** Emits the new states of saved cards, also to their processors; a closed card also loses its delegated keys. */
export async function publishStateChanges(work: Work, cards: readonly Card[]): Promise<void> {
  const { tx, platform } = work
  for (const card of cards) emit(work, 'CARD.STATE_CHANGE', cardToWire(card))
  await placeStateOrders(work, cards)
  const closed = cards.flatMap(({ id, state }) => (state === 'CLOSED' ? [id] : []))
  if (closed.length === 0) return
  const fundingSourceIds = await dropDelegatedKeys(tx, platform.id, closed)
  await work.react('cards.accountsUnbound', { fundingSourceIds })
}
