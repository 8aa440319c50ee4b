import type { Id } from '../../kernel/ids.ts'
import type { Environment } from '../../kernel/platform.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { ProviderRow, ProviderSecrets } from '../../infra/providers/provider-rows.ts'

/** One registration changes at a time, so that no two can overlap unseen (PROV-6). */
export async function lockRegistrations(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('providers', 0))`)
}

export async function insertProvider(tx: Tx, row: ProviderRow): Promise<void> {
  await tx.run(
    sql`insert into providers (id, name, kind, environment, ports, url, ca, platform_ids, rails, currencies,
          account_types, status, sealed_config, resend_window_seconds, max_in_flight, authorization_deadline_ms,
          payment_threshold, sealed_secret, created_at, updated_at)
        values (${row.id}, ${row.name}, ${row.kind}, ${row.environment}, ${row.ports}::text[], ${row.url}, ${row.ca},
          ${row.platformIds}::uuid[], ${row.rails}::text[], ${row.currencies}::text[], ${row.accountTypes}::text[],
          ${row.status}, ${row.sealedConfig}, ${row.resendWindowSeconds}, ${row.maxInFlight},
          ${row.authorizationDeadlineMs}, ${row.paymentThreshold}, ${row.sealedSecret}, ${row.createdAt},
          ${row.updatedAt})`,
  )
}

type ChangedRow = Omit<ProviderRow, keyof ProviderSecrets>

/** Kind, environment and secrets stay. */
export async function updateProviderRow(tx: Tx, row: ChangedRow): Promise<void> {
  await tx.run(
    sql`update providers set name = ${row.name}, ports = ${row.ports}::text[], url = ${row.url}, ca = ${row.ca},
          platform_ids = ${row.platformIds}::uuid[], rails = ${row.rails}::text[],
          currencies = ${row.currencies}::text[], account_types = ${row.accountTypes}::text[],
          status = ${row.status}, sealed_config = ${row.sealedConfig},
          resend_window_seconds = ${row.resendWindowSeconds}, max_in_flight = ${row.maxInFlight},
          authorization_deadline_ms = ${row.authorizationDeadlineMs}, payment_threshold = ${row.paymentThreshold},
          updated_at = ${row.updatedAt}
        where id = ${row.id}`,
  )
}

type Secrets = ProviderSecrets & Readonly<{ id: Id<'provider'>; at: Date }>

export async function replaceSecrets(tx: Tx, { id, at, ...secrets }: Secrets): Promise<void> {
  await tx.run(
    sql`update providers set sealed_secret = ${secrets.sealedSecret},
          sealed_former_secret = ${secrets.sealedFormerSecret}, former_secret_until = ${secrets.formerSecretUntil},
          updated_at = ${at}
        where id = ${id}`,
  )
}

/** The row remains for the orders that name it; its secrets go. */
export async function markRemoved(tx: Tx, id: Id<'provider'>, at: Date): Promise<void> {
  await tx.run(
    sql`update providers set removed_at = ${at}, sealed_secret = null, sealed_former_secret = null,
          former_secret_until = null
        where id = ${id}`,
  )
}

/** Those of the ids that are platforms of the environment, without its house. */
export async function findPlatformIds(
  tx: Tx,
  ids: readonly Id<'platform'>[],
  environment: Environment,
): Promise<readonly Id<'platform'>[]> {
  const rows = await tx.many<{ id: Id<'platform'> }>(
    sql`select id from platforms
        where id = any(${ids}::uuid[]) and environment = ${environment} and kind <> 'HOUSE'`,
  )
  return rows.map(({ id }) => id)
}
