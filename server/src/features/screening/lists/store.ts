import type { Id } from '../../../kernel/ids.ts'
import type { Environment, Platform } from '../../../kernel/platform.ts'
import { given, type Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { PLATFORM_COLUMNS, toPlatform, type PlatformRow } from '../../../infra/platforms.ts'

type ProviderId = Id<'provider'>

/** Answers false where the provider has named this version last. */
export async function saveVersion(
  tx: Tx,
  { providerId, version, at }: Readonly<{ providerId: ProviderId; version: string; at: Date }>,
): Promise<boolean> {
  const changed = await tx.run(
    sql`insert into screening_lists as l (provider_id, version, received_at) values (${providerId}, ${version}, ${at})
        on conflict (provider_id) do update set version = excluded.version, received_at = excluded.received_at
        where l.version <> excluded.version`,
  )
  return changed === 1
}

/** All platforms of an environment, for the choice of their providers. */
export async function listPlatforms(tx: Tx, environment: Environment): Promise<Platform[]> {
  const rows = await tx.many<PlatformRow>(
    sql`select ${PLATFORM_COLUMNS} from platforms p where p.environment = ${environment} and p.kind <> 'HOUSE'`,
  )
  return rows.map(toPlatform)
}

/** Stands for people, and for every currency that no provider names. */
export const OTHER = ''

type Served = Readonly<{ platformId: Id<'platform'>; currency: string }>

const SERVED: Columns<Served> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  currency: ['text', ({ currency }) => currency],
}

export type Queue = Readonly<{
  providerId: ProviderId
  version: string
  /** Currencies for which some provider is registered. */
  named: readonly string[]
  /** What the provider is asked about: by platform one of these currencies, or `OTHER`. */
  served: readonly Served[]
  /** Types of accounts that lists hold. */
  accountTypes: readonly string[]
}>

/** Queues every live subject that was not screened under the version yet; how many they are. */
export const queueSubjects = (
  tx: Tx,
  { providerId, version, named, served, accountTypes }: Queue,
): Promise<number> =>
  tx.run(
    sql`insert into rescreenings (platform_id, provider_id, subject, currency, subject_created_at)
        select s.platform_id, ${providerId}, s.subject, s.currency, s.created_at from (
          select c.platform_id, 'Customer:' || c.id as subject, null as currency, c.created_at from customers c
          where not c.is_deleted
            and coalesce(c.profile ->> 'fullName', c.profile #>> '{businessInfo,legalName}', c.profile ->> 'isNamed')
              is not null
          union all
          select o.platform_id, 'BeneficialOwner:' || o.id, null, o.created_at from beneficial_owners o
          join customers c on c.platform_id = o.platform_id and c.id = o.customer_id and not c.is_deleted
          union all
          select e.platform_id, 'ExternalAccount:' || e.id, e.currency, e.created_at from external_accounts e
          where e.deleted_at is null and e.listed and e.account_type = any(${accountTypes}::text[])
        ) s
        join ${given('v', SERVED, served)} on v.platform_id = s.platform_id
          and v.currency = case when s.currency = any(${named}::text[]) then s.currency else ${OTHER} end
        where not exists (select from screenings x where x.platform_id = s.platform_id and x.subject = s.subject
            and x.provider_id = ${providerId} and x.list_version = ${version})
        on conflict (platform_id, provider_id, subject) do update set currency = excluded.currency`,
  )

export type QueuedSubject = Readonly<{
  platformId: Id<'platform'>
  subject: string
  currency: string | null
}>

/** Takes the oldest subjects out of the queue of a provider. */
export const takeSubjects = (
  tx: Tx,
  { providerId, limit }: Readonly<{ providerId: ProviderId; limit: number }>,
): Promise<QueuedSubject[]> =>
  tx.many<QueuedSubject>(
    sql`delete from rescreenings r using (
          select q.platform_id, q.subject from rescreenings q where q.provider_id = ${providerId}
          order by q.subject_created_at, q.subject limit ${limit} for update) next
        where r.provider_id = ${providerId} and r.platform_id = next.platform_id and r.subject = next.subject
        returning r.platform_id, r.subject, r.currency`,
  )

/** The queue of a provider that is asked no more. */
export function dropSubjects(tx: Tx, providerId: ProviderId): void {
  tx.queueWrite(sql`delete from rescreenings where provider_id = ${providerId}`)
}
