import type { RegisteredProvider } from '../../kernel/ports.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'

export type ProviderSecrets = Readonly<{
  sealedSecret: Buffer | null
  sealedFormerSecret: Buffer | null
  formerSecretUntil: Date | null
}>

export type ProviderRow = Omit<RegisteredProvider, 'config'> &
  ProviderSecrets &
  Readonly<{ sealedConfig: Buffer }>

export const CHANGED_CHANNEL = 'florin_providers'

/** In the order of registration. */
export const readProviders = (tx: Tx): Promise<ProviderRow[]> =>
  tx.many<ProviderRow>(
    sql`select id, name, kind, environment, ports, url, ca, platform_ids, rails, currencies, account_types, status,
          sealed_config, resend_window_seconds, max_in_flight, authorization_deadline_ms, payment_threshold,
          sealed_secret, sealed_former_secret, former_secret_until, created_at, updated_at
        from providers where removed_at is null order by id`,
  )

/** Tells every process, when this transaction commits, to read the registrations again. */
export const announceProviderChange = (tx: Tx): void =>
  tx.queueWrite(sql`select pg_notify(${CHANGED_CHANNEL}, '')`)
