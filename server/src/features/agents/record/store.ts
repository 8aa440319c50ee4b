import type { Id } from '../../../kernel/ids.ts'
import type { PageByCreation } from '../../../kernel/page.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { RESOURCE_KEY } from '../../../infra/db/statement/resource-key.ts'
import { afterCreation, byCreation, countCapped } from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Agent } from './agent.ts'
import type { Usage } from '../policy/usage.ts'

type PlatformId = Id<'platform'>

type AgentRow = Omit<Agent, 'usage' | 'token'> &
  Readonly<{
    platformId: PlatformId
    usageDay: string
    dailyCount: number
    dailySpend: bigint
    monthlySpend: bigint
    isDeleted: boolean
    hasToken: boolean
    tokenExpiresAt: Date | null
  }>

const COLUMNS = sql`platform_id, id, customer_id, name, is_paused, token_digest is not null as has_token,
  token_expires_at, policy, usage_day, daily_count, daily_spend, monthly_spend, created_at, updated_at, deleted_at is not null as is_deleted`

export type StoredAgent = Agent & Readonly<{ platformId: PlatformId; isDeleted: boolean }>

function fromRow(row: AgentRow): StoredAgent {
  const { usageDay: day, dailyCount, dailySpend, monthlySpend, ...more } = row
  const { hasToken, tokenExpiresAt: expiresAt, ...agent } = more
  const token = hasToken ? { expiresAt } : null
  return { ...agent, token, usage: { day, dailyCount, dailySpend, monthlySpend } }
}

export function insertAgent(tx: Tx, platformId: PlatformId, agent: Agent): Promise<number> {
  const { usage } = agent
  return tx.run(
    sql`insert into agents (platform_id, id, customer_id, name, is_paused, policy, usage_day, daily_count, daily_spend,
          monthly_spend, created_at, updated_at)
        values (${platformId}, ${agent.id}, ${agent.customerId}, ${agent.name}, ${agent.isPaused},
          ${sql.json(agent.policy)}::jsonb, ${usage.day}::date, ${usage.dailyCount}, ${usage.dailySpend},
          ${usage.monthlySpend}, ${agent.createdAt}, ${agent.updatedAt})`,
  )
}

export async function findAgent(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'agent'>,
): Promise<StoredAgent | undefined> {
  const row = await tx.find<AgentRow>(
    sql`select ${COLUMNS} from agents where platform_id = ${platformId} and id = ${id}`,
  )
  return row && fromRow(row)
}

export type AgentKey = Readonly<{ platformId: PlatformId; id: Id<'agent'> }>

/** Agents of any platforms, deleted ones too. */
export async function findAgents(tx: Tx, keys: readonly AgentKey[]): Promise<StoredAgent[]> {
  const rows = await tx.many<AgentRow>(
    sql`select ${COLUMNS} from agents
        where (platform_id, id) in (select * from ${given('k', RESOURCE_KEY, keys)})`,
  )
  return rows.map(fromRow)
}

/** Agents of any platforms, deleted ones too, locked in the order of their ids. */
export async function lockAgents(tx: Tx, keys: readonly AgentKey[]): Promise<StoredAgent[]> {
  const rows = await tx.many<AgentRow>(
    sql`select ${COLUMNS} from agents
        where (platform_id, id) in (select * from ${given('k', RESOURCE_KEY, keys)})
        order by platform_id, id for no key update`,
  )
  return rows.map(fromRow)
}

export async function listAgentIdsOfCustomer(
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<Id<'agent'>[]> {
  const rows = await tx.many<{ id: Id<'agent'> }>(
    sql`select id from agents
        where platform_id = ${platformId} and customer_id = ${customerId} and deleted_at is null`,
  )
  return rows.map(({ id }) => id)
}

/** Saves an agent that the caller has locked. */
export async function saveAgent(tx: Tx, platformId: PlatformId, agent: Agent): Promise<void> {
  const { usage } = agent
  await tx.run(
    sql`update agents set name = ${agent.name}, is_paused = ${agent.isPaused},
          policy = ${sql.json(agent.policy)}::jsonb, usage_day = ${usage.day}::date, daily_count = ${usage.dailyCount},
          daily_spend = ${usage.dailySpend}, monthly_spend = ${usage.monthlySpend}, updated_at = ${agent.updatedAt}
        where platform_id = ${platformId} and id = ${agent.id}`,
  )
}

export type AgentUsage = AgentKey & Readonly<{ usage: Usage }>

const USAGE: Columns<AgentUsage> = {
  ...RESOURCE_KEY,
  day: ['date', ({ usage }) => usage.day],
  daily_count: ['integer', ({ usage }) => usage.dailyCount],
  daily_spend: ['bigint', ({ usage }) => usage.dailySpend],
  monthly_spend: ['bigint', ({ usage }) => usage.monthlySpend],
}

/** Queues the usage of agents; the last row of an agent counts. */
export function saveUsages(tx: Tx, usages: readonly AgentUsage[]): void {
  const rows = [...new Map(usages.map((row) => [row.id, row])).values()]
  tx.queueWrite(
    sql`update agents a set usage_day = u.day, daily_count = u.daily_count, daily_spend = u.daily_spend,
          monthly_spend = u.monthly_spend
        from ${given('u', USAGE, rows)}
        where a.platform_id = u.platform_id and a.id = u.id`,
  )
}

/** A deleted agent has no token, and its codes are not found. */
export async function markDeleted(
  tx: Tx,
  platformId: PlatformId,
  { ids, at }: { ids: readonly Id<'agent'>[]; at: Date },
): Promise<void> {
  await tx.run(
    sql`update agents set deleted_at = ${at}, updated_at = ${at}, token_digest = null
        where platform_id = ${platformId} and id = any(${ids}::uuid[])`,
  )
}

export async function saveToken(
  tx: Tx,
  platformId: PlatformId,
  {
    id,
    tokenDigest,
    expiresAt,
    at,
  }: { id: Id<'agent'>; tokenDigest: Buffer; expiresAt: Date; at: Date },
): Promise<void> {
  await tx.run(
    sql`update agents set token_digest = ${tokenDigest}, token_expires_at = ${expiresAt}, updated_at = ${at}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Bounds include their start and exclude their end. */
export type AgentFilters = Readonly<{
  customerId: Id<'customer'> | undefined
  isPaused: boolean | undefined
  isConnected: boolean | undefined
  now: Date
  createdFrom: Date | undefined
  createdUntil: Date | undefined
  updatedFrom: Date | undefined
  updatedUntil: Date | undefined
}>

/** The same condition as `isConnectedAt`. */
const connectedAt = (now: Date): Sql =>
  sql`(token_digest is not null and (token_expires_at is null or token_expires_at > ${now}))`

const matching = (platformId: PlatformId, filters: AgentFilters): Sql[] => [
  sql`platform_id = ${platformId}`,
  sql`deleted_at is null`,
  ...when(filters.customerId, (id) => sql`customer_id = ${id}`),
  ...when(filters.isPaused, (isPaused) => sql`is_paused = ${isPaused}`),
  ...when(filters.isConnected, (isConnected) =>
    isConnected ? connectedAt(filters.now) : sql`not ${connectedAt(filters.now)}`,
  ),
  ...when(filters.createdFrom, (at) => sql`created_at >= ${at}`),
  ...when(filters.createdUntil, (at) => sql`created_at < ${at}`),
  ...when(filters.updatedFrom, (at) => sql`updated_at >= ${at}`),
  ...when(filters.updatedUntil, (at) => sql`updated_at < ${at}`),
]

/** Newest first. */
export async function listAgents(
  tx: Tx,
  platformId: PlatformId,
  page: Readonly<{ filters: AgentFilters }> & PageByCreation,
): Promise<StoredAgent[]> {
  const { filters, after, fetch } = page
  const conditions = [...matching(platformId, filters), ...afterCreation(after)]
  const rows = await tx.many<AgentRow>(
    sql`select ${COLUMNS} from agents where ${sql.and(conditions)}
        order by ${byCreation()} limit ${fetch}`,
  )
  return rows.map(fromRow)
}

export const countAgents = (
  tx: Tx,
  platformId: PlatformId,
  filters: AgentFilters,
): Promise<number> => countCapped(tx, sql`agents where ${sql.and(matching(platformId, filters))}`)
