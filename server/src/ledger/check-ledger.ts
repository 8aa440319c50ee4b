import { sql } from '../infra/db/sql.ts'
import type { Database } from '../infra/db/database.ts'

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

const wrongBalances = sql`
  select 'balance of ' || coalesce(b.account, e.account) || ' in ' || coalesce(b.currency, e.currency) || ' is '
    || coalesce(b.amount::text, 'missing') || ', its postings sum to ' || coalesce(e.total::text, '0') as problem
  from ledger_balances b
  full join (
    select platform_id, account, currency, sum(amount) as total from ledger_entries
    where account ~ '^(IA|TRANSIT|SUSPENSE|RECEIVABLE|CARD_RESERVE):' group by 1, 2, 3
  ) e using (platform_id, account, currency)
  where coalesce(b.amount, 0) <> coalesce(e.total, 0)`

const wrongRunningBalances = sql`
  select 'a posting of ' || account || ' carries balance ' || balance_after || ', it should be ' || running as problem
  from (
    select account, balance_after,
      sum(amount) over (partition by platform_id, account, currency order by position) as running
    from ledger_entries where balance_after is not null
  ) w where balance_after <> running`

const totals = sql`
  select count(*)::int as entries, coalesce(array_agg(distinct currency order by currency), '{}') as currencies
  from ledger_entries`

/** LEDG-5: verifies the whole book in one snapshot, beside traffic. An empty list of problems means it is sound. */
export async function checkLedger(db: Database): Promise<LedgerCheck> {
  return db.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`)
    const found = await Promise.all(
      [unbalancedJournals, thinJournals, wrongBalances, wrongRunningBalances].map((query) =>
        tx.many<Finding>(query),
      ),
    )
    const counted = await tx.one<{ entries: number; currencies: string[] }>(totals)
    const problems = found.flat().map(({ problem }) => problem)
    return { ok: problems.length === 0, ...counted, problems }
  })
}
