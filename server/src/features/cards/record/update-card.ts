import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { Card } from './card.ts'
import { lockCard } from './find-card.ts'
import { bindAccounts, mustBeEligible } from '../funding/sources.ts'
import type { CardEvent } from './machine.ts'
import { publishStateChanges, movedCard } from './move-card.ts'
import { saveCards } from './store.ts'
import { cardToWire } from './wire.ts'

export type CardChange = Readonly<{
  state?: 'ACTIVE' | 'FROZEN' | 'CLOSED' | undefined
  fundingAccountIds?: readonly Id<'internalAccount'>[] | undefined
  /** Null removes the limit. */
  maxSpendPerTransaction?: bigint | null | undefined
}>

const EVENTS = {
  ACTIVE: 'unfreeze',
  FROZEN: 'freeze',
  CLOSED: 'close',
} as const satisfies Record<string, CardEvent>

/**
 * Freezes, unfreezes or closes a card, replaces its funding sources, sets its limit: all of the change, or nothing.
 * Fails: REFERENCE_NOT_FOUND, INVALID_STATE_TRANSITION, CARD_ALREADY_CLOSED, CARD_NOT_MUTABLE,
 * FUNDING_SOURCE_INELIGIBLE.
 */
export async function updateCard(
  work: Work,
  id: Id<'card'>,
  { state, fundingAccountIds, maxSpendPerTransaction }: CardChange,
): Promise<Card> {
  const { tx, platform, now } = work
  const before = await lockCard(work, id)
  // The refusal of a closed card depends on the change (CARD-23).
  if (before.state === 'CLOSED' && state === 'CLOSED') fail('CARD_ALREADY_CLOSED')
  if (before.state === 'CLOSED' && state === undefined) fail('CARD_NOT_MUTABLE')
  const moved = state ? movedCard(before, { event: EVENTS[state], now, to: state }) : before
  if (fundingAccountIds) await mustBeEligible(work, fundingAccountIds, before)
  const card: Card = {
    ...moved,
    fundingAccountIds: fundingAccountIds ?? moved.fundingAccountIds,
    maxSpendPerTransaction:
      maxSpendPerTransaction === undefined ? moved.maxSpendPerTransaction : maxSpendPerTransaction,
    updatedAt: now,
  }
  await saveCards(tx, platform.id, [card])
  const isRebound = !isSameList(before.fundingAccountIds, card.fundingAccountIds)
  if (isRebound) await bindAccounts(work, card)
  if (state) await publishStateChanges(work, [card])
  if (isRebound) emit(work, 'CARD.FUNDING_SOURCE_CHANGE', cardToWire(card))
  return card
}

const isSameList = (
  before: readonly Id<'internalAccount'>[],
  after: readonly Id<'internalAccount'>[],
): boolean => before.length === after.length && before.every((id, index) => after[index] === id)
