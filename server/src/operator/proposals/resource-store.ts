import type { AnyId, IdKind } from '../../kernel/ids.ts'
import { raw } from '../../infra/db/statement/raw.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** The tables of the resources that a command may name: global ones, and those of platforms. */
const GLOBAL_TABLES: Partial<Record<IdKind, string>> = {
  platform: 'platforms',
  provider: 'providers',
  operator: 'operators',
  operatorToken: 'operator_tokens',
}

const PLATFORM_TABLES: Partial<Record<IdKind, readonly string[]>> = {
  customer: ['customers'],
  verification: ['verifications'],
  internalAccount: ['internal_accounts'],
  externalAccount: ['external_accounts'],
  // A deposit has the id of the transaction that it makes.
  transaction: ['deposits', 'transactions'],
  card: ['cards'],
  cardTransaction: ['card_transactions'],
  agent: ['agents'],
  agentAction: ['agent_actions'],
  scaReset: ['sca_resets'],
  order: ['provider_orders'],
  exception: ['exceptions'],
  stablecoin: ['stablecoins'],
  stablecoinProviderAccount: ['stablecoin_provider_accounts'],
}

/** Joins the platforms, because the primary key of their tables begins with the platform. */
function rowsOf({ kind, id }: AnyId): Sql[] {
  const nobodys = GLOBAL_TABLES[kind]
  return nobodys
    ? [sql`${raw(nobodys)} r where r.id = ${id}`]
    : (PLATFORM_TABLES[kind] ?? []).map(
        (table) => sql`platforms p join ${raw(table)} r on r.platform_id = p.id and r.id = ${id}`,
      )
}

/**
 * The time of each row's last change, or the whole row where it has none. The rows are locked, so that they stay the
 * same until the command runs.
 */
async function versionsOf(tx: Tx, rows: readonly Sql[]): Promise<string[]> {
  const read = rows.map((found) =>
    tx.many<{ version: string }>(
      sql`select coalesce(to_jsonb(r) ->> 'updated_at', to_jsonb(r)::text) as version
          from ${found} for no key update of r`,
    ),
  )
  return (await Promise.all(read)).flat().map(({ version }) => version)
}

export const versionOf = (tx: Tx, named: AnyId): Promise<string[]> => versionsOf(tx, rowsOf(named))
