import type { SortOrder } from '../../../kernel/page.ts'
import type { Environment } from '../../../kernel/platform.ts'
import { countCapped } from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { domainToKeep, type Directory } from './domain.ts'

export type UmaProvider = Readonly<{
  domain: string
  name: string
  supportedRegions: readonly string[]
  supportedCurrencies: readonly string[]
  logoUrl: string | null
  lei: string | null
  allowListStatus: boolean
}>

export type ProviderFilters = Readonly<{
  countryCode: string | undefined
  currencyCode: string | undefined
  isAllowedOnly: boolean
}>

/** Matches a domain, whether it is stored with the placeholder or as written. */
export const isOfDomain = (directory: Directory, domain: string): Sql =>
  sql`domain in (${domainToKeep(directory, domain)}, ${domain})`

function matching(environment: Environment, filters: ProviderFilters): Sql[] {
  const { countryCode, currencyCode, isAllowedOnly } = filters
  return [
    sql`environment = ${environment}`,
    ...when(countryCode, (code) => sql`${code} = any(supported_regions)`),
    ...when(currencyCode, (code) => sql`${code} = any(supported_currencies)`),
    ...(isAllowedOnly ? [sql`allow_list_status`] : []),
  ]
}

export type ProviderPlace = Readonly<{ name: string; domain: string }>

/** Ordered by name and domain, after the position `after`. */
export async function listProviders(
  tx: Tx,
  environment: Environment,
  page: Readonly<{
    filters: ProviderFilters
    after: ProviderPlace | undefined
    fetch: number
    order: SortOrder
  }>,
): Promise<UmaProvider[]> {
  const { filters, after, fetch, order } = page
  const beyond = order === 'asc' ? sql`>` : sql`<`
  const conditions = [
    ...matching(environment, filters),
    ...when(after, ({ name, domain }) => sql`(name, domain) ${beyond} (${name}, ${domain})`),
  ]
  const sorted = order === 'asc' ? sql`name, domain` : sql`name desc, domain desc`
  return tx.many<UmaProvider>(
    sql`select domain, name, supported_regions, supported_currencies, logo_url, lei, allow_list_status
        from uma_providers where ${sql.and(conditions)} order by ${sorted} limit ${fetch}`,
  )
}

/** In either spelling, under lock. */
export const lockProvider = (
  tx: Tx,
  directory: Directory,
  domain: string,
): Promise<UmaProvider | undefined> =>
  tx.maybe<UmaProvider>(
    sql`select domain, name, supported_regions, supported_currencies, logo_url, lei, allow_list_status
        from uma_providers where environment = ${directory.environment} and ${isOfDomain(directory, domain)}
        limit 1 for no key update`,
  )

export const countProviders = (
  tx: Tx,
  environment: Environment,
  filters: ProviderFilters,
): Promise<number> =>
  countCapped(tx, sql`uma_providers where ${sql.and(matching(environment, filters))}`)

/** Replaces an existing entry in either spelling, because the directory has one entry per domain. */
export async function saveProvider(
  tx: Tx,
  directory: Directory,
  provider: UmaProvider,
): Promise<void> {
  const { domain, name, supportedRegions, supportedCurrencies, logoUrl, lei, allowListStatus } =
    provider
  await removeProvider(tx, directory, domain)
  await tx.run(
    sql`insert into uma_providers (environment, domain, name, supported_regions, supported_currencies, logo_url, lei,
          allow_list_status)
        values (${directory.environment}, ${domainToKeep(directory, domain)}, ${name}, ${supportedRegions}::text[],
          ${supportedCurrencies}::text[], ${logoUrl}, ${lei}, ${allowListStatus})
        on conflict (environment, domain) do update set
          name = excluded.name, supported_regions = excluded.supported_regions,
          supported_currencies = excluded.supported_currencies, logo_url = excluded.logo_url, lei = excluded.lei,
          allow_list_status = excluded.allow_list_status`,
  )
}

/** Answers whether the provider existed. */
export async function removeProvider(
  tx: Tx,
  directory: Directory,
  domain: string,
): Promise<boolean> {
  const removed = await tx.run(
    sql`delete from uma_providers
        where environment = ${directory.environment} and ${isOfDomain(directory, domain)}`,
  )
  return removed > 0
}
