import { addMs, MINUTE_MS } from '../../../kernel/clock.ts'
import { failNotFound, formatId, parseId } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { attempt } from '../../../infra/work/attempt.ts'
import type { Work } from '../../../infra/work/work.ts'
import { digestOf, openException } from '../../../orders/index.ts'
import { CardEventSchema } from '../../../providers/http/messages/cards.ts'
import { batchRoute, type Inbound, type ItemResult } from '../../providers/index.ts'
import { applyEventJob } from '../job-definitions.ts'
import { bookEvent } from './book-event.ts'
import {
  findTransactionByReference,
  insertEvent,
  lockEvent,
  saveOutcome,
  type CardEvent,
  type StoredEvent,
} from './event-store.ts'
import { findCardsOfProviders } from './store.ts'

/** How long an event that arrived early waits for its authorization (PROV-117). */
const WAIT_MS = MINUTE_MS

export const cardEventRoute = batchRoute({
  path: 'card-events',
  list: 'events',
  item: CardEventSchema,
  take: (inbound, event) => takeEvent(inbound, event as unknown as CardEvent),
})

/** Stores and applies an event. Fails: REFERENCE_NOT_FOUND if the provider did not issue the card. */
async function takeEvent(inbound: Inbound, content: CardEvent): Promise<ItemResult> {
  const { deps, provider, receivedAt } = inbound
  const { eventId, processorRef } = content
  const cardId = content.cardId === undefined ? undefined : parseId('card', content.cardId)
  const named = { providerId: provider.id, cardId, processorRef }
  const [card] = await findCardsOfProviders(deps.db.read, [named])
  if (!card) return failNotFound('card')
  const event: StoredEvent = {
    providerId: provider.id,
    eventId,
    platformId: card.platform.id,
    cardId: card.id,
    digest: digestOf(content),
    content,
    receivedAt,
  }
  return inbound.inPlatform(card.platform.id, async (work) =>
    (await insertEvent(work.tx, event))
      ? apply(work, event, { mayWait: true })
      : compareWithStored(work, event),
  )
}

/** The first content of an event counts; different content under the same id opens an exception. */
async function compareWithStored(work: Work, event: StoredEvent): Promise<ItemResult> {
  const stored = await lockEvent(work.tx, event)
  if (stored?.digest.equals(event.digest)) return { result: 'DUPLICATE' }
  return openNotBookable(work, event, { known: stored?.content, stated: event.content })
}

/** Applies an event after its wait; without an authorization it is a force post. */
export async function applyWaitingEvent(
  work: Work,
  key: Pick<StoredEvent, 'providerId' | 'eventId'>,
): Promise<void> {
  const event = await lockEvent(work.tx, key)
  if (event?.status === 'WAITING') await apply(work, event, { mayWait: false })
}

async function apply(
  work: Work,
  event: StoredEvent,
  { mayWait }: Readonly<{ mayWait: boolean }>,
): Promise<ItemResult> {
  const { providerId, eventId, cardId, content } = event
  const { type, networkReference = '' } = content
  const { id, isDeclined } = await findTransactionByReference(work.tx, {
    providerId,
    networkReference,
    cardId,
  })
  if (type !== 'CARD_STATE' && !id && !isDeclined && mayWait) {
    const dueAt = addMs(work.now, WAIT_MS)
    enqueue(work, applyEventJob, { providerId, eventId }, { dueAt })
    return { result: 'WAITING' }
  }
  const booked = await attempt(work, (inner) => bookEvent(inner, event, id))
  if (!booked.ok) {
    saveOutcome(work.tx, event, { status: 'EXCEPTION', cardTransactionId: id })
    return openNotBookable(work, event, { stated: content, code: booked.error.code })
  }
  saveOutcome(work.tx, event, { status: 'APPLIED', ...booked.result })
  const { cardTransactionId } = booked.result
  return {
    result: 'APPLIED',
    ...(cardTransactionId && { transactionId: formatId('cardTransaction', cardTransactionId) }),
  }
}

function openNotBookable(
  work: Work,
  { providerId, cardId }: StoredEvent,
  details: Readonly<Record<string, unknown>>,
): ItemResult {
  const subject = formatId('card', cardId)
  const exceptionId = openException(work, {
    type: 'EVENT_NOT_BOOKABLE',
    providerId,
    subject,
    details,
  })
  return { result: 'EXCEPTION', exceptionId: formatId('exception', exceptionId) }
}
