import { failNotFound, type Id } from '../../../kernel/ids.ts'
import {
  TOTAL_COUNT_MAX,
  type AmountFilter,
  type PageByCreation,
  type SortOrder,
} from '../../../kernel/page.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { RESOURCE_KEY } from '../../../infra/db/statement/resource-key.ts'
import {
  afterCreation,
  byCreation,
  countCapped,
  inRange,
  ofPlatforms,
} from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isOfLegReference } from '../legs/store.ts'
import {
  fromRow,
  sealedRow,
  type ListedTransaction,
  type TransactionRow,
  CHANGED,
  WHOLE,
  type NewRow,
} from './row.ts'
import type { OutgoingTransaction, Transaction } from './transaction.ts'

const COLUMNS = sql`id, type, direction, status, pending_reason, customer_id, platform_customer_id, source, source_identifier,
  destination, destination_identifier, sent_amount, sent_currency, received_amount, received_currency, fees,
  platform_fees, exchange_rate, rate_details, quote_id, agent_id, description, payment_reference,
  reconciliation_reference, payment_instructions, counterparty_information, payment_rail, rail_selection_mode,
  settlement_timeline_seconds, expected_settlement_at, failure_reason, refund_reference, refund_status, refund_reason,
  refund_initiated_at, refund_settled_at, receipt_delivery_confirmed_at, settled_at, created_at, updated_at`

const LISTED_COLUMNS = sql`${COLUMNS}, counted_on as volume_day, approval_action_id, card_id, card_details`

/** Queues new transactions, of any platforms, for the commit. */
export function insertTransactions(tx: Tx, rows: readonly NewRow[]): void {
  const added = rows.map((row) => sealedRow(tx.keyring, row))
  tx.queueWrite(
    sql`insert into transactions (platform_id, counted_on, ${COLUMNS})
        select platform_id, counted_on, ${COLUMNS} from ${given('n', WHOLE, added)}`,
  )
}

/** Queues the changed columns of transactions whose locks the caller holds. */
export function saveTransactions(tx: Tx, rows: readonly NewRow[]): void {
  tx.queueWrite(
    sql`update transactions t set status = n.status, pending_reason = n.pending_reason, source = n.source,
          destination = n.destination, failure_reason = n.failure_reason, refund_reference = n.refund_reference,
          refund_status = n.refund_status, refund_reason = n.refund_reason,
          refund_initiated_at = n.refund_initiated_at, refund_settled_at = n.refund_settled_at,
          counted_on = n.counted_on, receipt_delivery_confirmed_at = n.receipt_delivery_confirmed_at,
          settled_at = n.settled_at, updated_at = n.updated_at
        from ${given('n', CHANGED, rows)}
        where t.platform_id = n.platform_id and t.id = n.id`,
  )
}

type AwaitedApproval = Readonly<{
  platformId: Id<'platform'>
  transactionId: Id<'transaction'>
  actionId: Id<'agentAction'>
}>

const AWAITED: Columns<AwaitedApproval> = {
  platform_id: ['uuid', (row) => row.platformId],
  id: ['uuid', (row) => row.transactionId],
  action_id: ['uuid', (row) => row.actionId],
}

export const saveTransaction = (
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  transaction: Transaction,
): void => saveTransactions(tx, [{ platformId: platform.id, transaction }])

/** Queues the actions whose approval the payments of quotes wait for; the caller holds their locks. */
export function saveAwaitedApprovals(tx: Tx, rows: readonly AwaitedApproval[]): void {
  tx.queueWrite(
    sql`update transactions t set approval_action_id = n.action_id
        from ${given('n', AWAITED, rows)}
        where t.platform_id = n.platform_id and t.id = n.id`,
  )
}

export type TransactionKey = Readonly<{ platformId: Id<'platform'>; id: Id<'transaction'> }>

/** Locks transactions of any platforms in the order of their ids. The cards feature locks card transactions. */
export async function lockTransactions(
  tx: Tx,
  keys: readonly TransactionKey[],
): Promise<(Transaction & Readonly<{ platformId: Id<'platform'> }>)[]> {
  const rows = await tx.many<TransactionRow & Readonly<{ platformId: Id<'platform'> }>>(
    sql`select platform_id, ${LISTED_COLUMNS} from transactions
        join ${given('k', RESOURCE_KEY, keys)} using (platform_id, id)
        where type <> 'CARD' order by platform_id, id for no key update of transactions`,
  )
  return rows.map((row) => ({
    ...(fromRow(tx.keyring, row) as Transaction),
    platformId: row.platformId,
  }))
}

/** Locks the quotes of a customer that wait for their execution or for a proof. */
export async function lockOpenQuotes(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<void> {
  await tx.many(
    sql`select id from transactions
        where platform_id = ${platformId} and customer_id = ${customerId} and type = 'OUTGOING'
          and status in ('PENDING', 'PENDING_AUTHORIZATION') and quote_id is not null
        order by id for no key update`,
  )
}

/** Locks the transactions of a customer's quotes that are not executed. */
export async function lockPendingQuotes(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<OutgoingTransaction[]> {
  const rows = await tx.many<TransactionRow>(
    sql`select ${LISTED_COLUMNS} from transactions
        where platform_id = ${platformId} and customer_id = ${customerId} and type = 'OUTGOING'
          and status = 'PENDING' and quote_id is not null
        order by id for no key update`,
  )
  return rows.map((row) => fromRow(tx.keyring, row) as OutgoingTransaction)
}

/** Those of the currencies in which the customer's account ever had a transaction. */
export async function listUsedCurrencies(
  tx: Tx,
  platformId: Id<'platform'>,
  {
    customerId,
    currencies,
  }: Readonly<{ customerId: Id<'customer'>; currencies: readonly string[] }>,
): Promise<string[]> {
  const named = sql`t.platform_id = a.platform_id`
  const rows = await tx.many<{ currency: string }>(
    sql`select a.currency from internal_accounts a
        where a.platform_id = ${platformId} and a.customer_id = ${customerId}
          and a.currency = any(${currencies}::text[])
          and (exists (select 1 from transactions t where ${named} and t.source_identifier = 'InternalAccount:' || a.id)
            or exists (select 1 from transactions t
                       where ${named} and t.destination_identifier = 'InternalAccount:' || a.id))`,
  )
  return rows.map(({ currency }) => currency)
}

/** Does not find card transactions, which only the cards feature moves. */
export async function lockTransaction(
  tx: Tx,
  platformId: Id<'platform'>,
  id: Id<'transaction'>,
): Promise<Transaction | undefined> {
  const row = await tx.maybe<TransactionRow>(
    sql`select ${LISTED_COLUMNS} from transactions
        where platform_id = ${platformId} and id = ${id} and type <> 'CARD' for no key update`,
  )
  return row && (fromRow(tx.keyring, row) as Transaction)
}

/** Fails: TRANSACTION_NOT_FOUND. */
export const mustLockTransaction = async (
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  id: Id<'transaction'>,
): Promise<Transaction> =>
  (await lockTransaction(tx, platform.id, id)) ?? failNotFound('transaction')

export async function findTransaction(
  tx: Tx,
  platformId: Id<'platform'>,
  id: string,
): Promise<ListedTransaction | undefined> {
  const row = await tx.find<TransactionRow>(
    sql`select ${LISTED_COLUMNS} from transactions where platform_id = ${platformId} and id = ${id}`,
  )
  return row && fromRow(tx.keyring, row)
}

/** The platform's transactions with these ids, without card transactions. */
export async function findTransactions(
  tx: Tx,
  platformId: Id<'platform'>,
  ids: readonly Id<'transaction'>[],
): Promise<Transaction[]> {
  const rows = await tx.many<TransactionRow>(
    sql`select ${LISTED_COLUMNS} from transactions
        where platform_id = ${platformId} and id = any(${ids}::uuid[]) and type <> 'CARD'`,
  )
  return rows.map((row) => fromRow(tx.keyring, row) as Transaction)
}

export type TransactionFilters = Readonly<{
  /** Only what touches one of these accounts, on either side. */
  accountIdentifiers?: readonly string[] | undefined
  /** Null, in either: the platform's own. */
  customerId?: Id<'customer'> | null | undefined
  platformCustomerId?: string | null | undefined
  accountIdentifier?: string | undefined
  senderAccountIdentifier?: string | undefined
  receiverAccountIdentifier?: string | undefined
  status?: string | undefined
  type?: string | undefined
  reference?: string | undefined
  cardId?: Id<'card'> | undefined
  startAt?: Date | undefined
  endAt?: Date | undefined
  /** What was sent or received; of a card transaction what was authorized. */
  amount?: AmountFilter | undefined
  rail?: string | undefined
}>

/** Declined ones are listed only where the filter asks for them (CTXN-2). */
const ofStatus = (status: string | undefined): Sql =>
  status === undefined ? sql`status <> 'DECLINED'` : sql`status = ${sql.word(status)}`

/** Of one platform, or, in a question across platforms, of the one at hand. */
type Of = Id<'platform'> | Sql

function matching(platformId: Of, filters: TransactionFilters): Sql[] {
  return [
    sql`platform_id = ${platformId}`,
    ofStatus(filters.status),
    ...when(filters.customerId, (id) =>
      id === null ? sql`customer_id is null` : sql`customer_id = ${id}`,
    ),
    ...when(filters.platformCustomerId, (id) =>
      id === null ? sql`customer_id is null` : sql`platform_customer_id = ${id}`,
    ),
    ...when(
      filters.accountIdentifiers,
      (names) =>
        sql`(source_identifier = any(${names}::text[]) or destination_identifier = any(${names}::text[]))`,
    ),
    ...when(filters.senderAccountIdentifier, (name) => sql`source_identifier = ${name}`),
    ...when(filters.receiverAccountIdentifier, (name) => sql`destination_identifier = ${name}`),
    ...when(filters.type, (type) => sql`type = ${sql.word(type)}`),
    ...when(filters.reference, (reference) => byReference(platformId, reference)),
    ...when(filters.cardId, (id) => sql`card_id = ${id}`),
    ...when(filters.startAt, (at) => sql`created_at >= ${at}`),
    ...when(filters.endAt, (at) => sql`created_at <= ${at}`),
    ...when(filters.amount, ofAmount),
    ...when(filters.rail, ofRail),
  ]
}

const AUTHORIZED = {
  amount: sql`(card_details #>> '{authorizedAmount,amount}')::bigint`,
  currency: sql`card_details #>> '{authorizedAmount,currency,code}'`,
}

const ofAmount = (range: AmountFilter): Sql =>
  sql`(${sql.join(
    [
      ...inRange(range, { amount: sql`sent_amount`, currency: sql`sent_currency` }),
      ...inRange(range, { amount: sql`received_amount`, currency: sql`received_currency` }),
      ...inRange(range, AUTHORIZED),
    ],
    ' or ',
  )})`

/** A payment out has its rail in a column; what came in has it in its source, and coins have a network. */
const ofRail = (rail: string): Sql =>
  sql`${rail} in (payment_rail, source ->> 'paymentRail', source #>> '{onChainTransaction,network}',
    destination #>> '{onChainTransaction,network}')`

const byReference = (platformId: Of, reference: string): Sql =>
  sql`(payment_reference = ${reference} or reconciliation_reference = ${reference}
    or refund_reference = ${reference} or ${isOfLegReference(platformId, reference)})`

/**
 * An account on either side is two look-ups, each in the order of its own index; one with `or` would have to gather
 * and sort all that the account ever did.
 */
function branches(platformId: Of, filters: TransactionFilters): Sql[][] {
  const conditions = matching(platformId, filters)
  const name = filters.accountIdentifier
  if (name === undefined) return [conditions]
  return [
    [...conditions, sql`source_identifier = ${name}`],
    [
      ...conditions,
      sql`destination_identifier = ${name} and source_identifier is distinct from ${name}`,
    ],
  ]
}

const together = (selects: readonly Sql[]): Sql =>
  sql.join(
    selects.map((select) => sql`(${select})`),
    ' union all ',
  )

export type TransactionPage = PageByCreation &
  Readonly<{ filters: TransactionFilters; sortOrder: SortOrder }>

function pageOf(platformId: Of, { filters, sortOrder, after, fetch }: TransactionPage): Sql {
  const order = byCreation(sortOrder)
  const selects = branches(platformId, filters).map(
    (conditions) => sql`select ${LISTED_COLUMNS} from transactions
      where ${sql.and([...conditions, ...afterCreation(after, sortOrder)])} order by ${order} limit ${fetch}`,
  )
  return sql`select * from (${together(selects)}) as found order by ${order} limit ${fetch}`
}

export async function listTransactions(
  tx: Tx,
  platformId: Id<'platform'>,
  page: TransactionPage,
): Promise<ListedTransaction[]> {
  const rows = await tx.many<TransactionRow>(pageOf(platformId, page))
  return rows.map((row) => fromRow(tx.keyring, row))
}

type OwnedTransaction = Readonly<{
  platformId: Id<'platform'>
  transaction: ListedTransaction
}>

/** Across platforms, newest first, for the operator only. Each platform gives a page of its own index. */
export async function listTransactionsOfAll(
  tx: Tx,
  platformIds: readonly Id<'platform'>[] | null,
  page: Omit<TransactionPage, 'sortOrder'>,
): Promise<OwnedTransaction[]> {
  const rows = await tx.many<TransactionRow & Readonly<{ platformId: Id<'platform'> }>>(
    sql`select p.id as platform_id, t.* from platforms p
        cross join lateral (${pageOf(sql`p.id`, { ...page, sortOrder: 'desc' })}) t
        where true ${ofPlatforms(platformIds, sql`p.id`)}
        order by t.created_at desc, t.id desc limit ${page.fetch}`,
  )
  return rows.map((row) => ({ platformId: row.platformId, transaction: fromRow(tx.keyring, row) }))
}

export function countTransactions(
  tx: Tx,
  platformId: Id<'platform'>,
  filters: TransactionFilters,
): Promise<number> {
  const selects = branches(platformId, filters).map(
    (conditions) =>
      sql`select 1 from transactions where ${sql.and(conditions)} limit ${TOTAL_COUNT_MAX}`,
  )
  return countCapped(tx, sql`(${together(selects)}) as every`)
}
