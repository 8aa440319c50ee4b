import type { AnyId, IdKind } from '../../kernel/ids.ts'
import { raw } from '../../infra/db/statement/raw.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** Where what a command names by its id is kept: tables of the platforms, and those of nobody. */
const NOBODYS: Partial<Record<IdKind, string>> = {
  platform: 'platforms',
  provider: 'providers',
  operator: 'operators',
  operatorToken: 'operator_tokens',
}

const TABLES: Partial<Record<IdKind, readonly string[]>> = {
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

/** Each platform is asked: the tables are keyed by it first. */
function rowsOf({ kind, id }: AnyId): Sql[] {
  const nobodys = NOBODYS[kind]
  return nobodys
    ? [sql`${raw(nobodys)} r where r.id = ${id}`]
    : (TABLES[kind] ?? []).map(
        (table) => sql`platforms p join ${raw(table)} r on r.platform_id = p.id and r.id = ${id}`,
      )
}

/**
 * When the rows were last changed, or the rows themselves where they do not say. They are locked: what was compared
 * stays so until the command is run.
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
