import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { cardAt, type Card } from './card.ts'
import { findCardRow, lockCardRow, lockCardsForShare, type CardSnapshot } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform' | 'now'>

/** The card at this moment: closed once it has expired (CARD-13). Fails: REFERENCE_NOT_FOUND. */
export async function mustFindCard({ tx, platform, now }: Reading, id: Id<'card'>): Promise<Card> {
  const card = await findCardRow(tx, platform.id, id)
  return card ? cardAt(card, now) : failNotFound('card')
}

/** The card at this moment, locked until the transaction ends. Fails: REFERENCE_NOT_FOUND. */
export async function lockCard({ tx, platform, now }: Reading, id: Id<'card'>): Promise<Card> {
  const card = await lockCardRow(tx, platform.id, id)
  return card ? cardAt(card, now) : failNotFound('card')
}

/** The card at this moment, locked for share: several authorizations may read it at once, none may change it. */
export async function lockCardForShare(
  { tx, platform, now }: Reading,
  id: Id<'card'>,
): Promise<CardSnapshot | undefined> {
  const [card] = await lockCardsForShare(tx, [{ platformId: platform.id, id }])
  return card && cardAt(card, now)
}
