import type { Id } from '../../kernel/ids.ts'
import type { Environment, PlatformKind } from '../../kernel/platform.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

export type NewPlatform = Readonly<{
  id: Id<'platform'>
  configId: Id<'platformConfig'>
  name: string
  kind: PlatformKind
  environment: Environment
  skipVerificationPaperwork: boolean
  passkeyOrigins: readonly string[]
  webhookPublicKey: string
  /** Sealed. */
  webhookPrivateKey: Buffer
  umaDomain: string
  proxyUmaSubdomain: string
  at: Date
}>

export async function insertPlatform(tx: Tx, platform: NewPlatform): Promise<void> {
  await tx.run(
    sql`insert into platforms (id, name, kind, environment, skip_verification_paperwork, passkey_origins,
          webhook_public_key, webhook_private_key, config_id, uma_domain, proxy_uma_subdomain,
          created_at, config_updated_at)
        values (${platform.id}, ${platform.name}, ${platform.kind}, ${platform.environment},
          ${platform.skipVerificationPaperwork}, ${platform.passkeyOrigins}::text[],
          ${platform.webhookPublicKey}, ${platform.webhookPrivateKey}, ${platform.configId}, ${platform.umaDomain},
          ${platform.proxyUmaSubdomain}, ${platform.at}, ${platform.at})`,
  )
}

export type NewCurrency = Readonly<{ currency: string; minAmount: bigint; maxAmount: bigint }>

export async function insertCurrencies(
  tx: Tx,
  platformId: Id<'platform'>,
  currencies: readonly NewCurrency[],
): Promise<void> {
  await tx.run(
    sql`insert into platform_currencies (platform_id, currency, position, min_amount, max_amount,
          required_counterparty_fields, enabled_transaction_types)
        select ${platformId}, c.currency, c.n, c.min_amount, c.max_amount, '[]', '{OUTGOING,INCOMING}'
        from unnest(${currencies.map((row) => row.currency)}::text[],
          ${currencies.map((row) => row.minAmount)}::bigint[], ${currencies.map((row) => row.maxAmount)}::bigint[])
          with ordinality as c(currency, min_amount, max_amount, n)`,
  )
}
