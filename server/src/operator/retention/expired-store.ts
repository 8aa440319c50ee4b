// data table
/**
 * Data that is removed after its retention period (OPER-70). The job of each platform prunes events, stored answers and
 * moved clocks (webhooks/queue/retention.ts); the housekeeper prunes expired rate limits and provider messages.
 */
import { raw } from '../../infra/db/statement/raw.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Deps } from '../../infra/deps.ts'
import { addMonths, addMs, DAY_MS } from '../../kernel/clock.ts'

type Scope = Pick<Deps, 'clock' | 'settings'> & Readonly<{ limit: number }>

/** Deletes or empties at most `limit` rows that are older than an instant. */
type Statement = Readonly<{
  before(scope: Scope): Date
  remove(before: Date, scope: Scope): Sql
}>

export type ExpiringKind = Readonly<{ name: string; statements: readonly Statement[] }>

const LINKS_DAYS = 30
const CHALLENGES_DAYS = 400
const CARD_NUMBERS_DAYS = 30
const SESSIONS_DAYS = 30
const MONTHS_PER_YEAR = 12

const daysAgo =
  (days: number) =>
  ({ clock }: Scope): Date =>
    addMs(clock.now(), -days * DAY_MS)

const ordersAgo = (scope: Scope): Date => daysAgo(scope.settings.retentionOrdersDays)(scope)

/** Deletes rows so many days after their time, which is an SQL expression. */
const deleteAfter = (table: string, time: string, days: number): Statement => ({
  before: daysAgo(days),
  remove: (before, { limit }) =>
    sql`delete from ${raw(table)} where ctid = any(array(
          select ctid from ${raw(table)} where ${raw(time)} < ${before} limit ${limit}))`,
})

const FINAL = sql`state in ('SETTLED', 'RETURNED', 'DECIDED', 'FAILED')`

export const EXPIRING_KINDS: readonly ExpiringKind[] = [
  {
    name: 'orders',
    statements: [
      {
        before: ordersAgo,
        remove: (before, { limit }) =>
          sql`update order_reports set content = null where ctid = any(array(
                select r.ctid from order_reports r
                  join provider_orders o on o.platform_id = r.platform_id and o.id = r.order_id
                where r.content is not null and o.${FINAL} and o.updated_at < ${before} limit ${limit}))`,
      },
      {
        before: ordersAgo,
        remove: (before, { limit }) =>
          sql`update provider_orders set body = null, sealed_secret = null where ctid = any(array(
                select ctid from provider_orders
                where (body is not null or sealed_secret is not null) and ${FINAL} and updated_at < ${before}
                limit ${limit}))`,
      },
      {
        before: ordersAgo,
        remove: (before, { limit }) =>
          sql`update identity_decisions set evidence = null where ctid = any(array(
                select ctid from identity_decisions where evidence is not null and decided_at < ${before}
                limit ${limit}))`,
      },
    ],
  },
  {
    name: 'links',
    statements: [
      deleteAfter('kyc_links', 'least(used_at, expires_at)', LINKS_DAYS),
      deleteAfter('provider_file_links', 'expires_at', LINKS_DAYS),
      deleteAfter('card_reveals', 'expires_at', LINKS_DAYS),
      deleteAfter(
        'agent_device_codes',
        'least(redeemed_at, superseded_at, expires_at)',
        LINKS_DAYS,
      ),
      deleteAfter('dashboard_links', 'expires_at', LINKS_DAYS),
    ],
  },
  {
    name: 'challenges',
    statements: [
      deleteAfter('sca_challenges', 'expires_at', CHALLENGES_DAYS),
      deleteAfter('sca_enrolments', 'expires_at', CHALLENGES_DAYS),
      deleteAfter('wallet_otps', 'expires_at', CHALLENGES_DAYS),
    ],
  },
  {
    name: 'card numbers',
    statements: [
      {
        before: daysAgo(CARD_NUMBERS_DAYS),
        remove: (before, { limit }) =>
          sql`delete from card_vault where ctid = any(array(
                select v.ctid from card_vault v join cards c on c.platform_id = v.platform_id and c.id = v.card_id
                where c.state = 'CLOSED' and c.updated_at < ${before} limit ${limit}))`,
      },
    ],
  },
  {
    name: 'audit notes',
    statements: [
      {
        before: ({ clock, settings }) =>
          addMonths(clock.now(), -settings.retentionAuditNotesYears * MONTHS_PER_YEAR),
        remove: (before, { limit, clock }) =>
          sql`select erase_audit_notes(platform_id, array[entry_id], 'its years were over', ${clock.now()}) from (
                select n.platform_id, n.entry_id from audit_notes n
                  join audit_entries a on a.platform_id = n.platform_id and a.id = n.entry_id
                where n.note is not null and a.at < ${before} limit ${limit}) old`,
      },
    ],
  },
  {
    name: 'sessions',
    statements: [deleteAfter('dashboard_sessions', 'expires_at', SESSIONS_DAYS)],
  },
]

export const removeExpired = (
  tx: Tx,
  { before, remove }: Statement,
  scope: Scope,
): Promise<number> => tx.run(remove(before(scope), scope))
