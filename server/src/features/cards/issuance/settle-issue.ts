import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { expireCardJob } from '../job-definitions.ts'
import { expiresAt, type Card, type Provisioned } from '../record/card.ts'
import { movedCard, saveAndPublish } from '../record/move-card.ts'

/** Activates an issued card, and enqueues its closing at its expiry. */
export async function activateCard(
  work: Work,
  card: Card,
  provisioned: Provisioned,
): Promise<void> {
  const active = { ...movedCard(card, { event: 'provision', now: work.now }), provisioned }
  await saveAndPublish(work, [active])
  enqueue(work, expireCardJob, { cardId: card.id }, { dueAt: expiresAt(provisioned) })
}

export const rejectCard = (work: Work, card: Card): Promise<void> =>
  saveAndPublish(work, [movedCard(card, { event: 'reject', now: work.now })])
