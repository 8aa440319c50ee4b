import type { Id } from '../../../kernel/ids.ts'
import type { WaitingPage } from '../../../kernel/page.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { afterPlace, countWaiting, ofPlatforms } from '../../../infra/db/list-rows.ts'
import { findPlatformOf } from '../../../infra/platforms.ts'
import { CUSTOMER_NAME, nameCustomers, type SealedName } from '../../customers/lists.ts'
import type { CardTransaction } from './card-transaction.ts'

const PLAIN_COLUMNS = sql`id, card_id, customer_id, platform_customer_id, account_id, issuer_transaction_token,
  direction, status, decline_reason, merchant, currency, authorized, settled, settlement_count, refunded, pulled,
  pull_count, pending_pull, pending_outcome, shortfall, shortfall_cause, active_at, last_event_at, created_at,
  updated_at`
const COLUMNS = sql`${PLAIN_COLUMNS}, event_count as message_count, returns`

export type CardTransactionRow = Readonly<{
  platformId: Id<'platform'>
  transaction: CardTransaction
}>

/** The key, and every column that a message may change. */
const CHANGED: Columns<CardTransactionRow> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  id: ['uuid', ({ transaction }) => transaction.id],
  status: ['text', ({ transaction }) => transaction.status],
  authorized: ['bigint', ({ transaction }) => transaction.authorized],
  settled: ['bigint', ({ transaction }) => transaction.settled],
  settlement_count: ['integer', ({ transaction }) => transaction.settlementCount],
  refunded: ['bigint', ({ transaction }) => transaction.refunded],
  /** `unnest` flattens arrays, so the list travels as the text of an array. */
  returns: ['text', ({ transaction }) => `{${transaction.returns.join(',')}}`],
  pulled: ['bigint', ({ transaction }) => transaction.pulled],
  pull_count: ['integer', ({ transaction }) => transaction.pullCount],
  pending_pull: ['bigint', ({ transaction }) => transaction.pendingPull],
  pending_outcome: ['text', ({ transaction }) => transaction.pendingOutcome],
  shortfall: ['bigint', ({ transaction }) => transaction.shortfall],
  shortfall_cause: ['text', ({ transaction }) => transaction.shortfallCause],
  event_count: ['integer', ({ transaction }) => transaction.messageCount],
  active_at: ['timestamptz', ({ transaction }) => transaction.activeAt],
  last_event_at: ['timestamptz', ({ transaction }) => transaction.lastEventAt],
  updated_at: ['timestamptz', ({ transaction }) => transaction.updatedAt],
}

/** All columns of a new row. */
const WHOLE: Columns<CardTransactionRow> = {
  ...CHANGED,
  card_id: ['uuid', ({ transaction }) => transaction.cardId],
  customer_id: ['uuid', ({ transaction }) => transaction.customerId],
  platform_customer_id: ['text', ({ transaction }) => transaction.platformCustomerId],
  account_id: ['uuid', ({ transaction }) => transaction.accountId],
  issuer_transaction_token: ['text', ({ transaction }) => transaction.issuerTransactionToken],
  direction: ['text', ({ transaction }) => transaction.direction],
  decline_reason: ['text', ({ transaction }) => transaction.declineReason],
  merchant: ['jsonb', ({ transaction }) => sql.json(transaction.merchant)],
  currency: ['text', ({ transaction }) => transaction.currency],
  created_at: ['timestamptz', ({ transaction }) => transaction.createdAt],
}

/** Queues new card transactions, of any platforms, for the commit. */
export function insertRows(tx: Tx, rows: readonly CardTransactionRow[]): void {
  tx.queueWrite(
    sql`insert into card_transactions (platform_id, ${PLAIN_COLUMNS}, event_count, returns)
        select platform_id, ${PLAIN_COLUMNS}, event_count, returns::bigint[] from ${given('n', WHOLE, rows)}`,
  )
}

/** Queues the new state of a transaction that the caller has locked. */
export function saveRow(tx: Tx, row: CardTransactionRow): void {
  tx.queueWrite(
    sql`update card_transactions t set status = n.status, authorized = n.authorized, settled = n.settled,
          settlement_count = n.settlement_count, refunded = n.refunded, returns = n.returns::bigint[],
          pulled = n.pulled, pull_count = n.pull_count, pending_pull = n.pending_pull,
          pending_outcome = n.pending_outcome, shortfall = n.shortfall, shortfall_cause = n.shortfall_cause,
          event_count = n.event_count, active_at = n.active_at, last_event_at = n.last_event_at,
          updated_at = n.updated_at
        from ${given('n', CHANGED, [row])}
        where t.platform_id = n.platform_id and t.id = n.id`,
  )
}

export async function lockRow(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'cardTransaction'>,
): Promise<CardTransaction | undefined> {
  return tx.maybe<CardTransaction>(
    sql`select ${COLUMNS} from card_transactions where platform_id = ${platformId} and id = ${id} for no key update`,
  )
}

/** A customer's card transactions with money in reserve, or with a pull that is not confirmed; oldest first. */
export async function listOpenTransactions(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<Id<'cardTransaction'>[]> {
  const rows = await tx.many<{ id: Id<'cardTransaction'> }>(
    sql`select c.id from transactions t join card_transactions c using (platform_id, id)
        where t.platform_id = ${platformId} and t.customer_id = ${customerId} and t.type = 'CARD'
          and (c.pending_pull > 0
            or exists (select from ledger_balances b where b.platform_id = c.platform_id
              and b.account = 'CARD_RESERVE:' || c.id and b.amount > 0))
        order by c.created_at, c.id`,
  )
  return rows.map(({ id }) => id)
}

/** The card of a transaction, which never changes. */
export async function findCardOfTransaction(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'cardTransaction'>,
): Promise<Id<'card'> | undefined> {
  const row = await tx.find<{ cardId: Id<'card'> }>(
    sql`select card_id from card_transactions where platform_id = ${platformId} and id = ${id}`,
  )
  return row?.cardId
}

export const findCardTransaction = (
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'cardTransaction'>,
): Promise<CardTransaction | undefined> =>
  tx.find<CardTransaction>(
    sql`select ${COLUMNS} from card_transactions where platform_id = ${platformId} and id = ${id}`,
  )

/** A card transaction with an open shortfall, with its card and its cardholder. */
export type CardException = Pick<
  CardTransaction,
  'id' | 'cardId' | 'customerId' | 'merchant' | 'currency' | 'shortfall' | 'createdAt'
> &
  Readonly<{
    platformId: Id<'platform'>
    shortfallCause: NonNullable<CardTransaction['shortfallCause']>
    last4: string | null
    cardState: string
    customerName: string | null
  }>

/** Spans all platforms, oldest first, so only the operator may read it. */
const exceptions = ({ platformIds, after, limit }: WaitingPage): Sql =>
  sql`select t.platform_id, t.id, t.card_id, t.customer_id, t.merchant, t.currency, t.shortfall, t.shortfall_cause,
        t.created_at, k.last4, k.state as card_state,
        ${CUSTOMER_NAME}
      from platforms p cross join lateral (
        select * from card_transactions o where o.platform_id = p.id and o.shortfall > 0
          ${afterPlace(after, sql`o.created_at, o.id`)}
        order by o.created_at, o.id limit ${limit}
      ) t
      join cards k on k.platform_id = t.platform_id and k.id = t.card_id
      left join customers c on c.platform_id = t.platform_id and c.id = t.customer_id
      where true ${ofPlatforms(platformIds, sql`p.id`)}
      order by t.created_at, t.id limit ${limit}`

export const listCardExceptions = async (tx: Tx, page: WaitingPage): Promise<CardException[]> =>
  nameCustomers(tx.keyring, await tx.many<CardException & SealedName>(exceptions(page)))

export const countCardExceptions = (tx: Tx, bound: { atMost: number }): Promise<number> =>
  countWaiting(tx, exceptions, bound)

export const findPlatformOfCardTransaction = (tx: Tx, id: Id<'cardTransaction'>) =>
  findPlatformOf(tx, sql`card_transactions`, id)
