import type { Id } from '../../kernel/ids.ts'
import type { Environment, PlatformKind } from '../../kernel/platform.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Branding, CurrencyConfig, FeeConfig, PlatformConfig } from './config.ts'
import type { Logo } from './logo.ts'

export type NewPlatform = Readonly<{
  id: Id<'platform'>
  configId: Id<'platformConfig'>
  name: string
  kind: PlatformKind
  environment: Environment
  skipVerificationPaperwork: boolean
  strictIdentifiers: boolean
  passkeyOrigins: readonly string[]
  cardOrigins: readonly string[]
  webhookPublicKey: string
  /** Stored sealed. */
  webhookPrivateKey: Buffer
  umaDomain: string
  proxyUmaSubdomain: string
  at: Date
}>

export async function insertPlatform(tx: Tx, platform: NewPlatform): Promise<void> {
  await tx.run(
    sql`insert into platforms (id, name, kind, environment, skip_verification_paperwork, strict_identifiers,
          passkey_origins, card_origins, webhook_public_key, webhook_private_key, config_id, uma_domain,
          proxy_uma_subdomain, created_at, config_updated_at)
        values (${platform.id}, ${platform.name}, ${platform.kind}, ${platform.environment},
          ${platform.skipVerificationPaperwork}, ${platform.strictIdentifiers}, ${platform.passkeyOrigins}::text[],
          ${platform.cardOrigins}::text[], ${platform.webhookPublicKey}, ${platform.webhookPrivateKey}, ${platform.configId}, ${platform.umaDomain},
          ${platform.proxyUmaSubdomain}, ${platform.at}, ${platform.at})`,
  )
}

export async function findPasskeyOrigins(
  tx: Tx,
  platformId: Id<'platform'>,
): Promise<readonly string[]> {
  const { passkeyOrigins } = await tx.one<Pick<NewPlatform, 'passkeyOrigins'>>(
    sql`select passkey_origins from platforms where id = ${platformId}`,
  )
  return passkeyOrigins
}

/** Amounts are read as text, so that no JSON number loses precision. */
type AmountsAsText<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] }

type ConfigRow = Omit<
  PlatformConfig,
  | 'webhookEndpoint'
  | 'embeddedWallet'
  | 'cardTokenization2fa'
  | 'currencies'
  | 'feeConfigs'
  | 'branding'
> &
  Readonly<{
    webhookEndpoint: string | null
    embeddedWallet: PlatformConfig['embeddedWallet'] | null
    cardTokenization2fa: PlatformConfig['cardTokenization2fa'] | null
    branding: Branding | null
    currencies: readonly AmountsAsText<CurrencyConfig>[]
    feeConfigs: readonly AmountsAsText<FeeConfig>[]
  }>

/** The whole configuration in one statement, so that a read never shows half of a change. */
export async function findConfig(tx: Tx, platformId: Id<'platform'>): Promise<PlatformConfig> {
  const row = await tx.one<ConfigRow>(
    sql`select p.config_id as id, p.uma_domain, p.proxy_uma_subdomain, p.webhook_endpoint,
          p.embedded_wallet_config as embedded_wallet, p.card_tokenization_2fa_config as card_tokenization2fa,
          p.branding, p.created_at, p.config_updated_at as updated_at,
          (select coalesce(jsonb_agg(jsonb_build_object('currency', c.currency,
                    'minAmount', c.min_amount::text, 'maxAmount', c.max_amount::text,
                    'requiredCounterpartyFields', c.required_counterparty_fields,
                    'enabledTransactionTypes', to_jsonb(c.enabled_transaction_types)) order by c.position), '[]')
           from platform_currencies c where c.platform_id = p.id) as currencies,
          (select coalesce(jsonb_agg(jsonb_build_object('feeType', f.fee_type, 'sourceCurrency', f.source_currency,
                    'variableFeeBps', f.variable_fee_bps, 'fixedFeeAmount', f.fixed_fee_amount::text)
                    order by f.fee_type, f.source_currency), '[]')
           from platform_fee_configs f where f.platform_id = p.id) as fee_configs
        from platforms p where p.id = ${platformId}`,
  )
  return {
    ...row,
    webhookEndpoint: row.webhookEndpoint ?? undefined,
    embeddedWallet: row.embeddedWallet ?? undefined,
    cardTokenization2fa: row.cardTokenization2fa ?? undefined,
    branding: row.branding ?? undefined,
    currencies: row.currencies.map((entry) => ({
      ...entry,
      minAmount: BigInt(entry.minAmount),
      maxAmount: BigInt(entry.maxAmount),
    })),
    feeConfigs: row.feeConfigs.map((fee) => ({
      ...fee,
      fixedFeeAmount: BigInt(fee.fixedFeeAmount),
    })),
  }
}

/** Serialises writers of one configuration; rows that reference the platform do not wait. */
export async function lockConfig(tx: Tx, platformId: Id<'platform'>): Promise<void> {
  await tx.one(sql`select id from platforms where id = ${platformId} for no key update`)
}

export async function saveConfig(
  tx: Tx,
  platformId: Id<'platform'>,
  config: PlatformConfig,
): Promise<void> {
  const { embeddedWallet = null, cardTokenization2fa = null, branding = null } = config
  await tx.run(
    sql`update platforms set uma_domain = ${config.umaDomain}, webhook_endpoint = ${config.webhookEndpoint ?? null},
          embedded_wallet_config = ${embeddedWallet && sql.json(embeddedWallet)}::jsonb,
          card_tokenization_2fa_config = ${cardTokenization2fa && sql.json(cardTokenization2fa)}::jsonb,
          branding = ${branding && sql.json(branding)}::jsonb, config_updated_at = ${config.updatedAt}
        where id = ${platformId}`,
  )
}

type PlacedCurrency = CurrencyConfig & Readonly<{ position: number }>

/** `unnest` flattens nested arrays, so a list within a row is passed as JSON. */
const CURRENCY: Columns<PlacedCurrency> = {
  currency: ['text', (entry) => entry.currency],
  position: ['integer', (entry) => entry.position],
  min_amount: ['bigint', (entry) => entry.minAmount],
  max_amount: ['bigint', (entry) => entry.maxAmount],
  required: ['jsonb', (entry) => sql.json(entry.requiredCounterpartyFields)],
  enabled: ['jsonb', (entry) => sql.json(entry.enabledTransactionTypes)],
}

export async function insertCurrencies(
  tx: Tx,
  platformId: Id<'platform'>,
  currencies: readonly CurrencyConfig[],
): Promise<void> {
  const rows = currencies.map((entry, position) => ({ ...entry, position }))
  await tx.run(
    sql`insert into platform_currencies (platform_id, currency, position, min_amount, max_amount,
          required_counterparty_fields, enabled_transaction_types)
        select ${platformId}, currency, position, min_amount, max_amount, required,
          array(select jsonb_array_elements_text(enabled))
        from ${given('c', CURRENCY, rows)}`,
  )
}

export async function deleteCurrencies(tx: Tx, platformId: Id<'platform'>): Promise<void> {
  await tx.run(sql`delete from platform_currencies where platform_id = ${platformId}`)
}

const FEE: Columns<FeeConfig> = {
  fee_type: ['text', (fee) => fee.feeType],
  source_currency: ['text', (fee) => fee.sourceCurrency],
  variable_fee_bps: ['integer', (fee) => fee.variableFeeBps],
  fixed_fee_amount: ['bigint', (fee) => fee.fixedFeeAmount],
}

export async function insertFees(
  tx: Tx,
  platformId: Id<'platform'>,
  fees: readonly FeeConfig[],
): Promise<void> {
  await tx.run(
    sql`insert into platform_fee_configs (platform_id, fee_type, source_currency, variable_fee_bps, fixed_fee_amount)
        select ${platformId}, f.* from ${given('f', FEE, fees)}`,
  )
}

export async function deleteFees(tx: Tx, platformId: Id<'platform'>): Promise<void> {
  await tx.run(sql`delete from platform_fee_configs where platform_id = ${platformId}`)
}

/** Serialises decisions on a domain until the transaction ends. */
export async function lockUmaDomain(tx: Tx, domain: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`uma domain ${domain}`}, 0))`)
}

/** Whether another platform of the environment uses the domain, or has it as its subdomain. */
export async function isUmaDomainHeld(
  tx: Tx,
  { domain, besides, environment }: HeldDomain,
): Promise<boolean> {
  const [firstLabel] = domain.split('.')
  const row = await tx.one<{ held: boolean }>(
    sql`select exists (select 1 from platforms where environment = ${environment} and id <> ${besides}
          and (uma_domain = ${domain} or proxy_uma_subdomain = ${firstLabel})) as held`,
  )
  return row.held
}

export type HeldDomain = Readonly<{
  domain: string
  besides: Id<'platform'>
  environment: Environment
}>

export async function findOnboardingUrlRow(
  tx: Tx,
  platformId: Id<'platform'>,
): Promise<string | undefined> {
  const { onboardingUrl } = await tx.one<{ onboardingUrl: string | null }>(
    sql`select onboarding_url from platforms where id = ${platformId}`,
  )
  return onboardingUrl ?? undefined
}

export async function saveLogo(
  tx: Tx,
  platformId: Id<'platform'>,
  { digest, mediaType, bytes }: Logo,
): Promise<void> {
  await tx.run(
    sql`insert into platform_logos (platform_id, digest, media_type, logo)
        values (${platformId}, ${digest}, ${mediaType}, ${bytes})
        on conflict (platform_id) do update
          set digest = excluded.digest, media_type = excluded.media_type, logo = excluded.logo`,
  )
}

export async function deleteLogo(tx: Tx, platformId: Id<'platform'>): Promise<void> {
  await tx.run(sql`delete from platform_logos where platform_id = ${platformId}`)
}

/** By its content alone: two platforms with the same logo have the same address for it. */
export async function findLogoRow(
  tx: Tx,
  digest: string,
): Promise<Pick<Logo, 'mediaType' | 'bytes'> | undefined> {
  return tx.maybe<Pick<Logo, 'mediaType' | 'bytes'>>(
    sql`select media_type, logo as bytes from platform_logos where digest = ${digest} limit 1`,
  )
}

export async function findBrandingRow(
  tx: Tx,
  platformId: Id<'platform'>,
): Promise<Branding | undefined> {
  const { branding } = await tx.one<{ branding: Branding | null }>(
    sql`select branding from platforms where id = ${platformId}`,
  )
  return branding ?? undefined
}
