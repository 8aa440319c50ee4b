import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { CARD_EVENT_TYPES } from '../../../providers/http/messages/cards.ts'
import type { Merchant } from '../transaction/card-transaction.ts'
import type { StatedMoney } from './store.ts'

/** One event as a provider sends it (PROV-117). */
export type CardEvent = Readonly<{
  eventId: string
  type: (typeof CARD_EVENT_TYPES)[number]
  networkReference?: string
  cardId?: string
  processorRef?: string
  amount?: StatedMoney
  merchant?: Merchant
  returnId?: string
  final?: boolean
  state?: 'FROZEN' | 'CLOSED'
  at: string
}>

export type StoredEvent = Readonly<{
  providerId: Id<'provider'>
  eventId: string
  platformId: Id<'platform'>
  cardId: Id<'card'>
  digest: Buffer
  content: CardEvent
  receivedAt: Date
}>

/** False if the provider has sent an event with this id before. */
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

/** The amount that a return in force credited. */
export async function findReturnedAmount(
  tx: Tx,
  { cardTransactionId, returnId }: ReturnKey,
): Promise<bigint | undefined> {
  const row = await tx.find<{ returned: bigint }>(
    sql`select returned from card_events
        where card_transaction_id = ${cardTransactionId} and return_id = ${returnId} and returned is not null`,
  )
  return row?.returned
}

/** Removes a reversed return, so that a new one may use its id. */
export function clearReturn(tx: Tx, { cardTransactionId, returnId }: ReturnKey): void {
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

/** Finds the transaction to which events with a network reference belong, or that the authorization was declined. */
export async function findTransactionByReference(
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
