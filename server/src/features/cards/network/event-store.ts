import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { CardEvent } from './card-event.ts'

export type StoredEvent = Readonly<{
  providerId: Id<'provider'>
  eventId: string
  platformId: Id<'platform'>
  cardId: Id<'card'>
  digest: Buffer
  content: CardEvent
  receivedAt: Date
}>

/** False where the provider has sent an event of this id before. */
export async function insertEvent(tx: Tx, event: StoredEvent): Promise<boolean> {
  const written = await tx.run(
    sql`insert into card_events (provider_id, event_id, platform_id, card_id, digest, content, status, received_at)
        values (${event.providerId}, ${event.eventId}, ${event.platformId}, ${event.cardId}, ${event.digest},
          ${sql.json(event.content)}, 'WAITING', ${event.receivedAt})
        on conflict do nothing`,
  )
  return written > 0
}

type EventKey = Pick<StoredEvent, 'providerId' | 'eventId'>

export const lockEvent = (
  tx: Tx,
  { providerId, eventId }: EventKey,
): Promise<(StoredEvent & Readonly<{ status: string }>) | undefined> =>
  tx.maybe(
    sql`select provider_id, event_id, platform_id, card_id, digest, content, status, received_at from card_events
        where provider_id = ${providerId} and event_id = ${eventId} for no key update`,
  )

type Outcome = Readonly<{
  status: 'APPLIED' | 'EXCEPTION'
  cardTransactionId?: Id<'cardTransaction'> | undefined
  returned?: Readonly<{ returnId: string; amount: bigint }> | undefined
}>

export function saveOutcome(
  tx: Tx,
  { providerId, eventId }: EventKey,
  { status, cardTransactionId, returned }: Outcome,
): void {
  tx.queueWrite(
    sql`update card_events set status = ${status}, card_transaction_id = ${cardTransactionId ?? null},
          return_id = ${returned?.returnId ?? null}, returned = ${returned?.amount ?? null}
        where provider_id = ${providerId} and event_id = ${eventId}`,
  )
}

type ReturnKey = Readonly<{ cardTransactionId: Id<'cardTransaction'>; returnId: string }>

/** What a return that is in force gave back. */
export async function findReturned(
  tx: Tx,
  { cardTransactionId, returnId }: ReturnKey,
): Promise<bigint | undefined> {
  const row = await tx.find<{ returned: bigint }>(
    sql`select returned from card_events
        where card_transaction_id = ${cardTransactionId} and return_id = ${returnId} and returned is not null`,
  )
  return row?.returned
}

/** A return that was undone is not in force any more; another one may have its name. */
export function endReturn(tx: Tx, { cardTransactionId, returnId }: ReturnKey): void {
  tx.queueWrite(
    sql`update card_events set return_id = null, returned = null
        where card_transaction_id = ${cardTransactionId} and return_id = ${returnId}`,
  )
}

type Reference = Readonly<{
  providerId: Id<'provider'>
  networkReference: string
  cardId: Id<'card'>
}>

/** What is known under a reference of the network: the transaction that carries its events, or only that it was declined. */
export async function findCarrier(
  tx: Tx,
  { providerId, networkReference, cardId }: Reference,
): Promise<Readonly<{ id: Id<'cardTransaction'> | undefined; isDeclined: boolean }>> {
  const rows = await tx.many<{ id: Id<'cardTransaction'>; isApproved: boolean }>(
    sql`select t.id, t.status <> 'DECLINED' as is_approved
        from card_authorizations a join card_transactions t on t.platform_id = a.platform_id and t.id = a.card_transaction_id
        where a.provider_id = ${providerId} and a.network_reference = ${networkReference} and a.card_id = ${cardId}
        order by a.created_at desc`,
  )
  return { id: rows.find(({ isApproved }) => isApproved)?.id, isDeclined: rows.length > 0 }
}
