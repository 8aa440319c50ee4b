import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { PLATFORM_COLUMNS, toPlatform, type PlatformRow } from '../../../infra/platforms.ts'
import type { Directory } from '../providers/domain.ts'
import { isOfDomain } from '../providers/store.ts'

/** The accounts of a customer that can be credited. */
export function listActiveAccounts(
  tx: Tx,
  platformId: Id<'platform'>,
  customerId: Id<'customer'>,
): Promise<Readonly<{ id: Id<'internalAccount'>; currency: string }>[]> {
  return tx.many(
    sql`select id, currency from internal_accounts
        where platform_id = ${platformId} and customer_id = ${customerId} and status = 'ACTIVE'
        order by currency, id`,
  )
}

export type Holder = Readonly<{ platform: Platform; customerId: Id<'customer'> }>

/**
 * The current holder of an address, on any platform of the environment. Sandbox platforms may share a domain, so several
 * customers may hold one address: the asking platform's own customer comes first, then the oldest platform's.
 */
export async function findHolder(
  tx: Tx,
  asking: Pick<Platform, 'id' | 'environment'>,
  umaAddress: string,
): Promise<Holder | undefined> {
  const row = await tx.maybe<PlatformRow & Readonly<{ customerId: Id<'customer'> }>>(
    sql`select ${PLATFORM_COLUMNS}, c.id as customer_id from uma_addresses u
        join customers c on c.platform_id = u.platform_id and c.id = u.customer_id
          and c.uma_address = u.address and not c.is_deleted
        join platforms p on p.id = u.platform_id and p.environment = ${asking.environment}
        where u.address = ${umaAddress}
        order by p.id = ${asking.id} desc, p.id limit 1`,
  )
  return row && { platform: toPlatform(row), customerId: row.customerId }
}

/** Whether a platform of this installation has the domain. */
export async function isPlatformDomain(
  tx: Tx,
  { environment }: Pick<Platform, 'environment'>,
  domain: string,
): Promise<boolean> {
  const row = await tx.maybe(
    sql`select 1 from platforms where environment = ${environment} and uma_domain = ${domain} limit 1`,
  )
  return row !== undefined
}

/** The directory's entry for a provider, where a block wins; undefined for an unknown provider (UMA-7). */
export async function findAllowListStatus(
  tx: Tx,
  directory: Directory,
  domain: string,
): Promise<boolean | undefined> {
  const row = await tx.maybe<{ allowListStatus: boolean }>(
    sql`select allow_list_status from uma_providers
        where environment = ${directory.environment} and ${isOfDomain(directory, domain)}
        order by allow_list_status limit 1`,
  )
  return row?.allowListStatus
}
