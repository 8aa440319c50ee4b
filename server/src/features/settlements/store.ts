import type { Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { WaitingPage } from '../../kernel/page.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { afterPlace, countWaiting, ofPlatforms } from '../../infra/db/list-rows.ts'
import { CUSTOMER_NAME, nameCustomers, type SealedName } from '../customers/lists.ts'
import { type LegReference, legOf, type Leg } from '../transactions/lists.ts'
import { hasCarrier, isWithReceiver } from '../payments/lists.ts'

/** Statements across platforms, for the operator only. */

/** A payment that the operator has to settle, or whose refund failed. */
export type OpenSettlement = Readonly<{
  platformId: Id<'platform'>
  id: Id<'transaction'>
  type: 'INCOMING' | 'OUTGOING'
  status: string
  refundStatus: string | null
  failureReason: string | null
  /** The next leg; null for a failed refund, whose money is in suspense. */
  leg: Leg | null
  /** The amount of the leg; for a refund all that was taken, fees included. */
  amount: bigint
  currency: string
  /** The rail of the leg. */
  paymentRail: string | null
  /** For a UMA address elsewhere the invoice of the receiver's provider. */
  reference: string | null
  /** Null for a payment of the platform. */
  customerName: string | null
  /** The outside identifiers of earlier legs; null where there are none. */
  settled: readonly Omit<LegReference, 'recordedAt'>[] | null
  createdAt: Date
}>

type Row = Omit<OpenSettlement, 'leg' | 'amount' | 'currency'> &
  Readonly<{
    customerId: Id<'customer'> | null
    sourceIdentifier: string | null
    /** The rail over which the money comes in. */
    sourceRail: string | null
    /** Null for a payment in of unknown sending amount. */
    sentAmount: bigint | null
    sentCurrency: string | null
    /** Null until it is priced. */
    receivedAmount: bigint | null
    receivedCurrency: string | null
    /** Taken from the payer and still in transit. */
    taken: bigint | null
    /** In suspense after a failed refund (TXN-7). */
    suspended: bigint | null
  }>

const SOURCE_RAIL = sql`coalesce(t.source ->> 'paymentRail',
  (select coalesce(s.payment_rails[1], s.account_type) from external_accounts s where s.platform_id = t.platform_id
   and s.id = case when t.source_identifier like 'ExternalAccount:%' then split_part(t.source_identifier, ':', 2)::uuid end))`

const TAKEN = sql`(select b.amount from ledger_balances b
  where b.platform_id = t.platform_id and b.account = 'TRANSIT:' || t.id and b.currency = t.sent_currency)`

const SUSPENDED = sql`(select sum(e.amount)::bigint from ledger_journals j
  join ledger_entries e on e.platform_id = j.platform_id and e.journal_id = j.id
  where t.refund_status = 'FAILED' and j.platform_id = t.platform_id and j.reference = t.id::text
    and (j.type = 'refund.failed' or j.type like 'refund.returned%') and e.amount > 0)`

const SETTLED = sql`(select jsonb_agg(jsonb_build_object('leg', r.leg, 'outcome', r.outcome, 'reference', r.reference)
    order by r.id)
  from settlement_references r where r.platform_id = t.platform_id and r.transaction_id = t.id)`

const COLUMNS = sql`t.platform_id, t.id, t.type, t.status, t.refund_status, t.failure_reason, t.payment_rail,
  t.created_at, t.reconciliation_reference as reference, t.source_identifier, t.sent_amount, t.sent_currency,
  t.received_amount, t.received_currency, ${SOURCE_RAIL} as source_rail, ${TAKEN} as taken,
  ${SUSPENDED} as suspended, ${SETTLED} as settled,
  t.customer_id, ${CUSTOMER_NAME}`

function toWaiting(row: Row): OpenSettlement {
  const { taken, sourceRail } = row
  const leg = legOf({ ...row, isTaken: (taken ?? 0n) > 0n })
  const isReceived = leg === 'PAYOUT' || leg === 'COLLECTION'
  const [amount, currency] = isReceived
    ? [row.receivedAmount, row.receivedCurrency]
    : [leg === 'REFUND' ? taken : row.sentAmount, row.sentCurrency]
  invariant(amount !== null && currency !== null, 'A payment that waits is priced.')
  const paymentRail = leg === 'PAYOUT' ? row.paymentRail : (sourceRail ?? row.paymentRail)
  return { ...row, leg, amount, currency, paymentRail }
}

function toSuspended(row: Row): OpenSettlement {
  const { suspended: amount, sentCurrency: currency, sourceRail: paymentRail } = row
  invariant(amount !== null && currency !== null, 'A refund that failed is in the book.')
  return { ...row, leg: null, amount, currency, paymentRail }
}

const CUSTOMER = sql`left join customers c on c.platform_id = t.platform_id and c.id = t.customer_id`

const following = ({ after, limit }: WaitingPage): Sql =>
  sql`${afterPlace(after, sql`o.created_at, o.id`)} order by o.created_at, o.id limit ${limit}`

/** Oldest first. Each branch of the union has an index of its own. */
const openSettlements = (page: WaitingPage): Sql =>
  sql`select ${COLUMNS} from platforms p cross join lateral (
        (select * from transactions o where o.platform_id = p.id and o.status = 'PROCESSING'
           and o.type in ('INCOMING', 'OUTGOING') and not ${hasCarrier(sql`o`)} and o.pending_reason is null
           and (o.destination ->> 'destinationType' <> 'UMA_ADDRESS' or not ${isWithReceiver(sql`o`)})
           ${following(page)})
        union all
        (select * from transactions o where o.platform_id = p.id and o.status = 'PENDING' and o.quote_id is null
           and o.type in ('INCOMING', 'OUTGOING') and o.pending_reason is null and not ${hasCarrier(sql`o`)}
           and o.source ->> 'sourceType' <> 'UMA_ADDRESS'
           and not exists (select from agent_actions a where a.platform_id = o.platform_id
             and a.transaction_id = o.id and a.status = 'PENDING_APPROVAL') ${following(page)})
        union all
        (select * from transactions o where o.platform_id = p.id and o.refund_status = 'PENDING'
           and o.type = 'OUTGOING' and not ${hasCarrier(sql`o`)} ${following(page)})
      ) t ${CUSTOMER}
      where p.kind <> 'HOUSE' ${ofPlatforms(page.platformIds, sql`p.id`)}
      order by t.created_at, t.id limit ${page.limit}`

export const listOpenSettlements = async (tx: Tx, page: WaitingPage): Promise<OpenSettlement[]> =>
  nameCustomers(tx.keyring, await tx.many<Row & SealedName>(openSettlements(page))).map(toWaiting)

export const countOpenSettlements = (tx: Tx, bound: { atMost: number }): Promise<number> =>
  countWaiting(tx, openSettlements, bound)

/** Payments whose refund failed and is in suspense, oldest first. */
const failedRefunds = (page: WaitingPage): Sql =>
  sql`select ${COLUMNS} from platforms p cross join lateral (
        select * from transactions o where o.platform_id = p.id and o.refund_status = 'FAILED'
          and o.type = 'OUTGOING' ${following(page)}
      ) t ${CUSTOMER}
      where true ${ofPlatforms(page.platformIds, sql`p.id`)}
      order by t.created_at, t.id limit ${page.limit}`

export const listFailedRefunds = async (tx: Tx, page: WaitingPage): Promise<OpenSettlement[]> =>
  nameCustomers(tx.keyring, await tx.many<Row & SealedName>(failedRefunds(page))).map(toSuspended)

export const countFailedRefunds = (tx: Tx, bound: { atMost: number }): Promise<number> =>
  countWaiting(tx, failedRefunds, bound)
