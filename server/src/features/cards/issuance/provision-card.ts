import { addMs } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { CardReport, IssuedCard } from '../../../providers/card-issuer.ts'
import { findCustomer } from '../../customers/index.ts'
import { expiryOf, type Card } from '../record/card.ts'
import { last4Of } from './number.ts'
import { lockCard, mustFindCard } from '../record/find-card.ts'
import { sandboxIssuer } from './sandbox-issuer.ts'
import { activateCard, rejectCard } from './settle-issue.ts'
import { provisionCardJob } from '../job-definitions.ts'
import { putIntoVault } from '../reveal/vault.ts'

/** Requests the card from the sandbox issuer; a platformCustomerId that the service generated is left out. */
export async function requestCard(
  reading: Readonly<{ tx: Tx; platform: Platform }>,
  { cardId, at }: { cardId: Id<'card'>; at: Date },
): Promise<CardReport> {
  const card = await mustFindCard({ ...reading, now: at }, cardId)
  const customer = await findCustomer(reading, card.customerId)
  const name = customer?.platformCustomerId
  return sandboxIssuer.provision({
    cardId,
    platformCustomerId: name === card.customerId ? undefined : name,
    currency: card.currency,
    elapsedMs: at.getTime() - card.createdAt.getTime(),
  })
}

/** Records the issuer's report: the card is activated, rejected, or requested again later. */
export async function applyIssuerReport(
  work: Work,
  cardId: Id<'card'>,
  report: CardReport,
): Promise<void> {
  const card = await lockCard(work, cardId)
  if (card.state !== 'PROCESSING') return
  switch (report.outcome) {
    case 'issued':
      return activate(work, card, report.card)
    case 'refused':
      return rejectCard(work, card)
    case 'waiting':
      if (report.askAgainAfterMs === undefined) return
      enqueue(
        work,
        provisionCardJob,
        { cardId },
        { dueAt: addMs(work.now, report.askAgainAfterMs) },
      )
  }
}

async function activate(work: Work, card: Card, issued: IssuedCard): Promise<void> {
  const { brand, processorRef, issuerRef, number } = issued
  await putIntoVault(work, { platformId: work.platform.id, cardId: card.id }, issued)
  const expiry = expiryOf(work.now)
  const last4 = last4Of(number)
  await activateCard(work, card, { brand, last4, ...expiry, processorRef, issuerRef })
}
