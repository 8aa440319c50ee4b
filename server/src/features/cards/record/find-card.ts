import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { asOf, type Card } from './card.ts'
import { findCardRow, lockCardRow, lockCardsForShare, type CardSnapshot } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform' | 'now'>

/** The card as it is now: closed once it has expired (CARD-13). Fails: REFERENCE_NOT_FOUND. */
export async function mustFindCard({ tx, platform, now }: Reading, id: Id<'card'>): Promise<Card> {
  const card = await findCardRow(tx, platform.id, id)
  return card ? asOf(card, now) : failNotFound('card')
}

/** The same, its row locked until the transaction ends. Fails: REFERENCE_NOT_FOUND. */
export async function lockCard({ tx, platform, now }: Reading, id: Id<'card'>): Promise<Card> {
  const card = await lockCardRow(tx, platform.id, id)
  return card ? asOf(card, now) : failNotFound('card')
}

/** The same for a decision, which several may take at once: the card stays as it is until the transaction ends. */
export async function lockCardForShare(
  { tx, platform, now }: Reading,
  id: Id<'card'>,
): Promise<CardSnapshot | undefined> {
  const [card] = await lockCardsForShare(tx, [{ platformId: platform.id, id }])
  return card && asOf(card, now)
}
