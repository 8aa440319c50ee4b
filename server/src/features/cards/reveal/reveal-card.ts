import { digestSecret, newSecret } from '../../../crypto/secret-hash.ts'
import { describeActor } from '../../../kernel/access/actor.ts'
import { addMs, isPast, SECOND_MS } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isRevealable, type Card } from '../record/card.ts'
import { mustFindCard } from '../record/find-card.ts'
import { findRevealByDigest, insertReveal, type FoundReveal, type Reveal } from './store.ts'

export const REVEAL_LIFETIME_MS = 300 * SECOND_MS

export type RevealLink = Readonly<{ panEmbedUrl: string; expiresAt: Date }>

/**
 * Makes a link that shows the card's number for five minutes. Only a digest of its token is stored.
 * Fails: REFERENCE_NOT_FOUND, CONFLICT.
 */
export async function revealCard(
  work: Work,
  cardId: Id<'card'>,
  parentOrigin: string | null,
): Promise<RevealLink> {
  const { tx, platform, now, actor, settings } = work
  const card = await mustFindCard(work, cardId)
  if (!isRevealable(card)) fail('CONFLICT', { reason: 'CARD_NOT_REVEALABLE' })
  const token = newSecret()
  const expiresAt = addMs(now, REVEAL_LIFETIME_MS)
  await insertReveal(tx, {
    platformId: platform.id,
    digest: digestSecret(token),
    cardId,
    parentOrigin,
    actor: describeActor(actor),
    createdAt: now,
    expiresAt,
  })
  const base = settings.cardEmbedUrl ?? settings.publicUrl
  return { panEmbedUrl: `${base}/embed/cards/${token}`, expiresAt }
}

export const findReveal = (tx: Tx, token: string): Promise<FoundReveal | undefined> =>
  findRevealByDigest(tx, digestSecret(token))

/** A link opens any number of times until it expires or the card is closed (CARD-35). */
export const isRevealLive = ({ expiresAt }: Reveal, card: Card, now: Date): boolean =>
  !isPast({ deadline: expiresAt, now }) && isRevealable(card)
