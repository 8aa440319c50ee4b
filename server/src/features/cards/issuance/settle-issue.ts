import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { expireCardJob } from '../job-definitions.ts'
import { expiresAt, type Card, type Provisioned } from '../record/card.ts'
import { movedCard, publishStateChanges } from '../record/move-card.ts'
import { saveCards } from '../record/store.ts'

/** The issuer made the card; it closes by itself at its expiry. */
export async function activateCard(
  work: Work,
  card: Card,
  provisioned: Provisioned,
): Promise<void> {
  const active = { ...movedCard(card, { event: 'provision', now: work.now }), provisioned }
  await saveCards(work.tx, work.platform.id, [active])
  enqueue(work, expireCardJob, { cardId: card.id }, { dueAt: expiresAt(provisioned) })
  await publishStateChanges(work, [active])
}

export async function rejectCard(work: Work, card: Card): Promise<void> {
  const refused = movedCard(card, { event: 'reject', now: work.now })
  await saveCards(work.tx, work.platform.id, [refused])
  await publishStateChanges(work, [refused])
}
