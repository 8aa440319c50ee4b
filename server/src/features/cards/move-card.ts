import { advance } from '../../kernel/machine.ts'
import type { Work } from '../../infra/work.ts'
import { emit } from '../../webhooks/emit.ts'
import type { Card, CardStateReason } from './card.ts'
import { dropDelegatedKeys, listFundingSources } from './funding-source-store.ts'
import { cardMachine, type CardEvent, type LiveCardState } from './machine.ts'
import { cardToWire } from './wire.ts'

const CLOSING_REASONS: Partial<Record<CardEvent, CardStateReason>> = {
  reject: 'ISSUER_REJECTED',
  close: 'CLOSED_BY_PLATFORM',
  withdraw: 'CLOSED_BY_SERVICE',
}

/** The card as the event leaves it; nothing is written. Fails: INVALID_STATE_TRANSITION, CARD_ALREADY_CLOSED. */
export function movedCard(
  card: Card,
  { event, now, to }: { event: CardEvent; now: Date; to?: LiveCardState },
): Card {
  const state = advance(cardMachine, card.state, event, to && { to })
  return { ...card, state, stateReason: CLOSING_REASONS[event] ?? null, updatedAt: now }
}

/** What follows from a card's new state, once it is saved: it is told, and a closed card lets go of its accounts. */
export async function announceCardState(work: Work, card: Card): Promise<void> {
  emit(work, 'CARD.STATE_CHANGE', cardToWire(card))
  if (card.state !== 'CLOSED') return
  const { tx, platform } = work
  const sources = await listFundingSources(tx, platform.id, card.id)
  await dropDelegatedKeys(tx, platform.id, card.id)
  await work.react('cards.accountsUnbound', {
    cardId: card.id,
    fundingSourceIds: sources.map(({ id }) => id),
  })
}
