import type { Id } from '../../../kernel/ids.ts'
import type { PageByCreation, SortOrder } from '../../../kernel/page.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { afterCreation, byCreation, countCapped } from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Action, ActionStatus } from './action.ts'

type PlatformId = Id<'platform'>

const COLUMNS = sql`id, agent_id, customer_id, type, status, transaction_id, wallet_stamp, rejection_reason,
  failure_reason, failure_details, expires_at, created_at, updated_at`

const detailsOf = ({ failureDetails }: Action): string | null =>
  failureDetails && sql.json(failureDetails)

export type NewAction = Readonly<{ platformId: PlatformId; action: Action }>

const NEW_ACTION: Columns<NewAction> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  id: ['uuid', ({ action }) => action.id],
  agent_id: ['uuid', ({ action }) => action.agentId],
  customer_id: ['uuid', ({ action }) => action.customerId],
  type: ['text', ({ action }) => action.type],
  status: ['text', ({ action }) => action.status],
  transaction_id: ['uuid', ({ action }) => action.transactionId],
  wallet_stamp: ['text', ({ action }) => action.walletStamp],
  rejection_reason: ['text', ({ action }) => action.rejectionReason],
  failure_reason: ['text', ({ action }) => action.failureReason],
  failure_details: ['jsonb', ({ action }) => detailsOf(action)],
  expires_at: ['timestamptz', ({ action }) => action.expiresAt],
  created_at: ['timestamptz', ({ action }) => action.createdAt],
  updated_at: ['timestamptz', ({ action }) => action.updatedAt],
}

/** Queues new actions, of any platforms, for the commit. */
export function insertActions(tx: Tx, rows: readonly NewAction[]): void {
  tx.queueWrite(
    sql`insert into agent_actions (platform_id, ${COLUMNS})
        select platform_id, ${COLUMNS} from ${given('n', NEW_ACTION, rows)}`,
  )
}

const DECIDED: Columns<Action> = {
  id: ['uuid', (action) => action.id],
  status: ['text', (action) => action.status],
  rejection_reason: ['text', (action) => action.rejectionReason],
  failure_reason: ['text', (action) => action.failureReason],
  failure_details: ['jsonb', detailsOf],
  updated_at: ['timestamptz', (action) => action.updatedAt],
}

/** Queues the decisions on actions whose agents the caller has locked. */
export function saveActions(tx: Tx, platformId: PlatformId, actions: readonly Action[]): void {
  tx.queueWrite(
    sql`update agent_actions a set status = d.status, wallet_stamp = null, rejection_reason = d.rejection_reason,
          failure_reason = d.failure_reason, failure_details = d.failure_details, updated_at = d.updated_at
        from ${given('d', DECIDED, actions)}
        where a.platform_id = ${platformId} and a.id = d.id`,
  )
}

export function findAction(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'agentAction'>,
): Promise<Action | undefined> {
  return tx.find<Action>(
    sql`select ${COLUMNS} from agent_actions where platform_id = ${platformId} and id = ${id}`,
  )
}

export type TransactionKey = Readonly<{ platformId: PlatformId; transactionId: Id<'transaction'> }>

const TRANSACTION_KEY: Columns<TransactionKey> = {
  platform_id: ['uuid', (key) => key.platformId],
  transaction_id: ['uuid', (key) => key.transactionId],
}

/** The actions of these transactions, of any platforms. */
export function listActionsOfTransactions(
  tx: Tx,
  keys: readonly TransactionKey[],
): Promise<(Action & Readonly<{ platformId: PlatformId }>)[]> {
  return tx.many(
    sql`select platform_id, ${COLUMNS} from agent_actions
        where (platform_id, transaction_id) in (select * from ${given('k', TRANSACTION_KEY, keys)})`,
  )
}

/** The actions of these agents that wait for approval. */
export function listPendingActions(
  tx: Tx,
  platformId: PlatformId,
  agentIds: readonly Id<'agent'>[],
): Promise<Action[]> {
  return tx.many<Action>(
    sql`select ${COLUMNS} from agent_actions
        where platform_id = ${platformId} and agent_id = any(${agentIds}::uuid[]) and status = 'PENDING_APPROVAL'
        order by transaction_id`,
  )
}

export type ActionFilters = Readonly<{
  agentId: Id<'agent'> | undefined
  customerId?: Id<'customer'> | undefined
  status: ActionStatus | undefined
  startAt?: Date | undefined
  endAt?: Date | undefined
  now: Date
}>

/** An overdue action is not pending, also before the job has recorded it (ACT-30). */
const ofStatus = (status: ActionStatus, now: Date): Sql =>
  status === 'PENDING_APPROVAL'
    ? sql`status = 'PENDING_APPROVAL' and (expires_at is null or expires_at > ${now})`
    : sql`status = ${sql.word(status)}`

const matching = (platformId: PlatformId, filters: ActionFilters): Sql[] => [
  sql`platform_id = ${platformId}`,
  ...when(filters.agentId, (id) => sql`agent_id = ${id}`),
  ...when(filters.customerId, (id) => sql`customer_id = ${id}`),
  ...when(filters.status, (status) => ofStatus(status, filters.now)),
  ...when(filters.startAt, (at) => sql`created_at >= ${at}`),
  ...when(filters.endAt, (at) => sql`created_at <= ${at}`),
]

export type ActionPage = PageByCreation & Readonly<{ filters: ActionFilters; sortOrder: SortOrder }>

export function listActions(
  tx: Tx,
  platformId: PlatformId,
  { filters, sortOrder, after, fetch }: ActionPage,
): Promise<Action[]> {
  const conditions = [...matching(platformId, filters), ...afterCreation(after, sortOrder)]
  return tx.many<Action>(
    sql`select ${COLUMNS} from agent_actions where ${sql.and(conditions)}
        order by ${byCreation(sortOrder)} limit ${fetch}`,
  )
}

export const countActions = (
  tx: Tx,
  platformId: PlatformId,
  filters: ActionFilters,
): Promise<number> =>
  countCapped(tx, sql`agent_actions where ${sql.and(matching(platformId, filters))}`)
