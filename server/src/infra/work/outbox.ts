import { digestNote, newNoteSalt } from '../../crypto/audit/chain-hash.ts'
import { newUuid, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { given, type Columns } from '../db/statement/given.ts'
import { sql, type Sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { BusinessCounts } from '../logging/business-metrics.ts'
import { insertEvents, type EventRow } from './outbox-events.ts'
import type { RequestIds } from './request-ids.ts'

export type JobRow = Readonly<{
  platformId: Id<'platform'>
  id: string
  name: string
  key: string | undefined
  payload: unknown
  dueAt: Date
  createdAt: Date
}>

export type AuditRow = RequestIds &
  Readonly<{
    platformId: Id<'platform'>
    at: Date
    actor: string
    action: string
    resource: string | undefined
    note: string | undefined
  }>

/** An order to a provider. */
export type OrderRow = Readonly<{
  platformId: Id<'platform'>
  id: Id<'order'>
  providerId: Id<'provider'>
  type: string
  transactionId: Id<'transaction'> | undefined
  subject: string | undefined
  request: Readonly<Record<string, unknown>>
  sealedSecret: Buffer | undefined
  amount: bigint | undefined
  currency: string | undefined
  ownReference: string
  expectedAt: Date | undefined
  isInstant: boolean
  isHeld: boolean
  /** In real time: until then only the request that placed the order may send it. */
  leasedUntil: Date | undefined
  createdAt: Date
}>

/** Events, jobs, orders and audit entries of a transaction: collected while it runs, written with its commit. */
export type Outbox = Readonly<{
  events: EventRow[]
  jobs: JobRow[]
  orders: OrderRow[]
  audit: AuditRow[]
}> & {
  /** Known once the events are written: without an endpoint or stream there is nothing to dispatch. */
  hasDeliveries: boolean
  /** The number of jobs and orders, from the first on, that are written already. */
  written: Readonly<{ jobs: number; orders: number }>
}

export const newOutbox = (): Outbox => ({
  ...{ events: [], jobs: [], orders: [], audit: [] },
  hasDeliveries: false,
  written: { jobs: 0, orders: 0 },
})

export function mergeOutbox({ from, into }: { from: Outbox; into: Outbox }): void {
  invariant(from.written.jobs + from.written.orders === 0, 'what is merged is not written yet')
  into.events.push(...from.events)
  into.jobs.push(...from.jobs)
  into.orders.push(...from.orders)
  into.audit.push(...from.audit)
}

/** Queues at most four statements, which are sent with the commit. */
export function flushOutbox(tx: Tx, outbox: Outbox): void {
  const { events, audit } = outbox
  const onCount = (deliveries: number): void => void (outbox.hasDeliveries = deliveries > 0)
  if (events.length > 0) tx.queueWrite(insertEvents(tx.keyring, events), { onCount })
  writeJobsAndOrders(tx, outbox)
  if (audit.length > 0) tx.queueWrite(insertAudit(audit))
}

/** Queues jobs and orders before the commit, where later statements of the transaction must find them. */
export function writeJobsAndOrders(tx: Tx, outbox: Outbox): void {
  const jobs = outbox.jobs.slice(outbox.written.jobs)
  const orders = outbox.orders.slice(outbox.written.orders)
  if (jobs.length > 0) tx.queueWrite(insertJobs(jobs))
  if (orders.length > 0) tx.queueWrite(insertOrders(orders))
  outbox.written = { jobs: outbox.jobs.length, orders: outbox.orders.length }
}

/** After the commit: counts payments, and wakes the workers whose work is due now. */
export function wakeFor(
  {
    wake,
    counts,
  }: Readonly<{
    wake(what: 'jobs' | 'events' | 'orders'): void
    counts?: Pick<BusinessCounts, 'payment'>
  }>,
  { events, hasDeliveries, jobs, orders }: Outbox,
): void {
  if (counts) for (const { payment } of events) if (payment) counts.payment(payment)
  if (hasDeliveries) wake('events')
  if (orders.length > 0) wake('orders')
  if (jobs.some(({ dueAt, createdAt }) => dueAt <= createdAt)) wake('jobs')
}

const JOB: Columns<JobRow> = {
  platform_id: ['uuid', (row) => row.platformId],
  id: ['uuid', (row) => row.id],
  name: ['text', (row) => row.name],
  key: ['text', (row) => row.key],
  payload: ['jsonb', (row) => sql.json(row.payload)],
  due_at: ['timestamptz', (row) => row.dueAt],
  created_at: ['timestamptz', (row) => row.createdAt],
}

const insertJobs = (rows: readonly JobRow[]) =>
  sql`insert into jobs (platform_id, id, name, key, payload, due_at, state, created_at)
      select platform_id, id, name, key, payload, due_at, 'WAITING', created_at
      from ${given('j', JOB, rows)} on conflict do nothing`

const ORDER: Columns<OrderRow> = {
  platform_id: ['uuid', (row) => row.platformId],
  id: ['uuid', (row) => row.id],
  provider_id: ['uuid', (row) => row.providerId],
  type: ['text', (row) => row.type],
  transaction_id: ['uuid', (row) => row.transactionId],
  subject: ['text', (row) => row.subject],
  request: ['jsonb', (row) => sql.json(row.request)],
  sealed_secret: ['bytea', (row) => row.sealedSecret],
  amount: ['bigint', (row) => row.amount],
  currency: ['text', (row) => row.currency],
  own_reference: ['text', (row) => row.ownReference],
  expected_at: ['timestamptz', (row) => row.expectedAt],
  is_instant: ['boolean', (row) => row.isInstant],
  is_held: ['boolean', (row) => row.isHeld],
  leased_until: ['timestamptz', (row) => row.leasedUntil],
  created_at: ['timestamptz', (row) => row.createdAt],
}

const insertOrders = (rows: readonly OrderRow[]) =>
  sql`insert into provider_orders (platform_id, id, provider_id, type, transaction_id, subject, request,
        sealed_secret, amount, currency, own_reference, expected_at, is_instant, is_held, leased_until, created_at,
        execute_at, next_at, updated_at)
      select o.*, o.created_at, o.created_at, o.created_at from ${given('o', ORDER, rows)}`

type WrittenEntry = AuditRow &
  Readonly<{ salt: Buffer | undefined; noteDigest: Buffer | undefined }>

const AUDIT_ENTRY: Columns<WrittenEntry> = {
  platform_id: ['uuid', (row) => row.platformId],
  id: ['uuid', () => newUuid()],
  at: ['timestamptz', (row) => row.at],
  actor: ['text', (row) => row.actor],
  action: ['text', (row) => row.action],
  resource: ['text', (row) => row.resource],
  note_digest: ['bytea', (row) => row.noteDigest],
  request_id: ['text', (row) => row.requestId],
  client_request_id: ['text', (row) => row.clientRequestId],
}
const NOTED_ENTRY: Columns<WrittenEntry> = {
  ...AUDIT_ENTRY,
  salt: ['bytea', (row) => row.salt],
  note: ['text', (row) => row.note],
}

const ENTRY_FIELDS = sql`platform_id, id, at, actor, action, resource, note_digest, request_id, client_request_id`

function writtenEntry(row: AuditRow): WrittenEntry {
  const salt = row.note === undefined ? undefined : newNoteSalt()
  return { ...row, salt, noteDigest: salt && digestNote(salt, row.note ?? '') }
}

/** Notes go to a separate table, so that they can be erased; the entry keeps the digest (OPER-51). */
const insertAudit = (rows: readonly AuditRow[]): Sql => {
  const written = rows.map(writtenEntry)
  return rows.every(({ note }) => note === undefined)
    ? sql`insert into audit_entries (${ENTRY_FIELDS}) select * from ${given('a', AUDIT_ENTRY, written)}`
    : sql`with given as materialized (
            select * from ${given('a', NOTED_ENTRY, written)}
          ), noted as (
            insert into audit_notes (platform_id, entry_id, salt, note)
            select platform_id, id, salt, note from given where note is not null
          )
          insert into audit_entries (${ENTRY_FIELDS}) select ${ENTRY_FIELDS} from given`
}
