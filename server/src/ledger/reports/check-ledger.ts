import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Database } from '../../infra/db/database.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { BusinessCounts } from '../../infra/logging/business-metrics.ts'
import { STORED_ACCOUNTS } from '../chart.ts'

export type LedgerCheck = Readonly<{
  ok: boolean
  entries: number
  currencies: readonly string[]
  problems: readonly string[]
}>

type Finding = Readonly<{ problem: string }>

const unbalancedJournals = sql`
  select 'journal ' || journal_id || ' does not sum to zero in ' || currency as problem
  from ledger_entries group by platform_id, journal_id, currency having sum(amount) <> 0`

const thinJournals = sql`
  select 'journal ' || j.id || ' has fewer than two postings' as problem
  from ledger_journals j left join ledger_entries e on e.platform_id = j.platform_id and e.journal_id = j.id
  group by j.platform_id, j.id having count(e.line) < 2`

const strayEntries = sql`
  select 'an entry of ' || e.account || ' belongs to journal ' || e.journal_id || ', which is not there' as problem
  from ledger_entries e left join ledger_journals j on j.platform_id = e.platform_id and j.id = e.journal_id
  where j.id is null`

const wrongBalances = sql`
  select 'balance of ' || coalesce(b.account, e.account) || ' in ' || coalesce(b.currency, e.currency) || ' is '
    || coalesce(b.amount::text, 'missing') || ', its postings sum to ' || coalesce(e.total::text, '0') as problem
  from ledger_balances b
  full join (
    select platform_id, account, currency, sum(amount) as total from ledger_entries
    where account ~ ${STORED_ACCOUNTS} group by 1, 2, 3
  ) e using (platform_id, account, currency)
  where coalesce(b.amount, 0) <> coalesce(e.total, 0)`

/** Each entry of an account carries the sum up to it (LEDG-7). */
const wrongRunningBalances = sql`
  select 'a posting of ' || account || ' carries balance ' || coalesce(balance_after::text, 'none')
    || ', it should be ' || running as problem
  from (
    select account, balance_after,
      sum(amount) over (partition by platform_id, account, currency order by position) as running
    from ledger_entries where account ~ ${STORED_ACCOUNTS}
  ) w where balance_after is distinct from running`

/** A transaction that has ended, with its refund, has nothing left in transit; nor has an unknown one. */
const leftInTransit = sql`
  with waiting as materialized (
    select platform_id, account, currency, amount, substring(account from 9) as transaction_id
    from ledger_balances where account like 'TRANSIT:%' and amount <> 0
  )
  select w.account || ' still has ' || w.amount || ' ' || w.currency || ', but its transaction is '
    || coalesce(t.status, 'not there') || coalesce(' and its refund ' || t.refund_status, '') as problem
  from waiting w left join transactions t on t.platform_id = w.platform_id and t.id = w.transaction_id::uuid
  where t.id is null
    or t.status in ('COMPLETED', 'FAILED', 'REJECTED', 'EXPIRED') and t.refund_status is distinct from 'PENDING'`

/** Reserve and shortfall of a card transaction equal the amounts of its record (CTXN-17). */
const wrongCardBalances = sql`
  with recorded as materialized (
    select platform_id, currency, id, status, shortfall,
      case when status in ('AUTHORIZED', 'PARTIALLY_SETTLED') and direction = 'DEBIT'
        then pulled - pending_pull - coalesce(settled, 0) else 0 end as reserved
    from card_transactions
  ), booked as materialized (
    select platform_id, currency, split_part(account, ':', 2)::uuid as id,
      coalesce(sum(amount) filter (where account like 'CARD_RESERVE:%'), 0) as reserved,
      -coalesce(sum(amount) filter (where account like 'CARD_SHORTFALL:%'), 0) as shortfall
    from ledger_balances where account like 'CARD_%' group by 1, 2, 3
  )
  select 'card transaction ' || coalesce(s.id, b.id) || ' has ' || coalesce(b.reserved, 0) || ' reserved and '
    || coalesce(b.shortfall, 0) || ' borne, it should be ' || coalesce(s.reserved, 0) || ' and '
    || coalesce(s.shortfall, 0) as problem
  from recorded s full join booked b using (platform_id, currency, id)
  where coalesce(s.reserved, 0) <> coalesce(b.reserved, 0) or coalesce(s.shortfall, 0) <> coalesce(b.shortfall, 0)`

const PROBLEMS: readonly Sql[] = [
  unbalancedJournals,
  thinJournals,
  strayEntries,
  wrongBalances,
  wrongRunningBalances,
  leftInTransit,
  wrongCardBalances,
]

const totals = sql`
  select count(*)::float8 as entries, coalesce(array_agg(distinct currency order by currency), '{}') as currencies
  from ledger_entries`

/** The most findings of each kind; more would not help to repair the book. */
const FINDINGS_MAX = 1_000

/** The service's connections plan for a few keys, but this check reads and joins whole tables. */
const planForWholeTables = sql`
  select set_config('enable_' || way, 'on', true)
  from unnest(array['seqscan', 'mergejoin', 'hashjoin', 'material']) as way`

/** Verifies the whole book in one snapshot, beside traffic (LEDG-5). Without problems the book is sound. */
export async function checkLedger(
  db: Database,
  counts?: Pick<BusinessCounts, 'ledgerCheck'>,
): Promise<LedgerCheck> {
  const check = async (tx: Tx): Promise<LedgerCheck> => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`)
    await tx.run(planForWholeTables)
    const found = await Promise.all(
      PROBLEMS.map((query) =>
        tx.many<Finding>(sql`select problem from (${query}) as found limit ${FINDINGS_MAX}`),
      ),
    )
    const counted = await tx.one<{ entries: number; currencies: string[] }>(totals)
    const problems = found.flat().map(({ problem }) => problem)
    return { ok: problems.length === 0, ...counted, problems }
  }
  const checked = await db.transaction(check, { isLong: true })
  counts?.ledgerCheck(checked.problems.length)
  return checked
}
