import type { Id } from '../../kernel/ids.ts'
import type { Environment } from '../../kernel/platform.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { ofPlatforms } from '../../infra/db/list-rows.ts'
import { findPlatformOf } from '../../infra/platforms.ts'

/** Queries across platforms, which only the operator may ask. */

export type PlatformLine = Readonly<{
  id: Id<'platform'>
  name: string
  kind: string
  environment: Environment
  skipVerificationPaperwork: boolean
  strictIdentifiers: boolean
  travelRule: boolean
  webhookEndpoint: string | null
  webhookPublicKey: string
  onboardingUrl: string | null
  passkeyOrigins: readonly string[]
  cardOrigins: readonly string[]
  umaDomain: string
  clockOffsetMs: bigint
  createdAt: Date
}>

const PLATFORM = sql`select id, name, kind, environment, skip_verification_paperwork, strict_identifiers, travel_rule,
  webhook_endpoint, webhook_public_key, onboarding_url, passkey_origins, card_origins, uma_domain, clock_offset_ms, created_at from platforms`

export const listPlatforms = (tx: Tx): Promise<PlatformLine[]> =>
  tx.many<PlatformLine>(sql`${PLATFORM} where kind <> 'HOUSE' order by created_at, id`)

export const findPlatformLine = (tx: Tx, id: Id<'platform'>): Promise<PlatformLine | undefined> =>
  tx.maybe<PlatformLine>(sql`${PLATFORM} where id = ${id}`)

export type PlatformChange = Readonly<{
  name: string | null
  skipVerificationPaperwork: boolean | null
  strictIdentifiers: boolean | null
  travelRule: boolean | null
  onboardingUrl?: string | null
  passkeyOrigins?: readonly string[] | null
  cardOrigins?: readonly string[] | null
}>

export async function updatePlatform(
  tx: Tx,
  id: Id<'platform'>,
  change: PlatformChange,
): Promise<void> {
  await tx.run(
    sql`update platforms set name = coalesce(${change.name}, name),
          skip_verification_paperwork = coalesce(${change.skipVerificationPaperwork}, skip_verification_paperwork),
          strict_identifiers = coalesce(${change.strictIdentifiers}, strict_identifiers),
          travel_rule = coalesce(${change.travelRule}, travel_rule),
          onboarding_url = coalesce(${change.onboardingUrl ?? null}, onboarding_url),
          passkey_origins = coalesce(${change.passkeyOrigins ?? null}::text[], passkey_origins),
          card_origins = coalesce(${change.cardOrigins ?? null}::text[], card_origins)
        where id = ${id}`,
  )
}

export async function replaceWebhookKey(
  tx: Tx,
  id: Id<'platform'>,
  keys: { publicKey: string; privateKey: Buffer },
): Promise<void> {
  await tx.run(
    sql`update platforms set webhook_public_key = ${keys.publicKey}, webhook_private_key = ${keys.privateKey}
        where id = ${id}`,
  )
}

export async function findPlatformOfToken(
  tx: Tx,
  tokenId: Id<'token'>,
): Promise<Id<'platform'> | undefined> {
  const row = await tx.maybe<{ platformId: Id<'platform'> }>(
    sql`select platform_id from api_tokens where id = ${tokenId} and deleted_at is null`,
  )
  return row?.platformId
}

export const findPlatformOfEvent = (tx: Tx, id: Id<'webhook'>) =>
  findPlatformOf(tx, sql`events`, id)

export const findPlatformOfInternalAccount = (tx: Tx, id: Id<'internalAccount'>) =>
  findPlatformOf(tx, sql`internal_accounts`, id)

export type JobLine = Readonly<{
  platformId: Id<'platform'>
  id: string
  name: string
  state: string
  dueAt: Date
  attempts: number
  lastError: string | null
}>

const JOB = sql`platform_id, id, name, state, due_at, attempts, last_error`

export const listJobs = (
  tx: Tx,
  {
    state,
    platformIds,
    limit,
  }: Readonly<{
    state: string
    platformIds: readonly Id<'platform'>[] | null
    limit: number
  }>,
): Promise<JobLine[]> =>
  tx.many<JobLine>(
    sql`select ${JOB} from jobs
        where state = ${state} ${ofPlatforms(platformIds, sql`platform_id`)}
        order by due_at, id limit ${limit}`,
  )

export const findJob = (
  tx: Tx,
  { platformId, id }: { platformId: Id<'platform'>; id: string },
): Promise<JobLine | undefined> =>
  tx.maybe<JobLine>(sql`select ${JOB} from jobs where platform_id = ${platformId} and id = ${id}`)

export const findPlatformOfJob = (tx: Tx, id: string) => findPlatformOf(tx, sql`jobs`, id)

/** A dead job waits again; one that merely failed stops pausing. */
export const retryJob = (
  tx: Tx,
  { platformId, id }: { platformId: Id<'platform'>; id: string },
): Promise<JobLine | undefined> =>
  tx.maybe<JobLine>(
    sql`update jobs set state = 'WAITING', attempts = 0, leased_until = null
        where platform_id = ${platformId} and id = ${id}
        returning ${JOB}`,
  )

export const databaseVersion = (tx: Tx): Promise<{ version: string }> =>
  tx.one(sql`select current_setting('server_version') as version`)

export async function countDeadJobs(tx: Tx): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from jobs where state = 'DEAD'`,
  )
  return count
}

/** Events whose delivery failed for good since an instant. */
export async function countFailedEvents(tx: Tx, since: Date): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from event_deliveries where status = 'FAILED' and at >= ${since}`,
  )
  return count
}

/** A currency that a platform needs a price of, and what for. */
export type NeededCurrency = Readonly<{
  platformId: Id<'platform'>
  code: string
  usedFor: string
}>

/** What these platforms hold, and what the accounts outside are in that they pay to. */
export const listNeededCurrencies = (
  tx: Tx,
  platformIds: readonly Id<'platform'>[],
): Promise<NeededCurrency[]> =>
  tx.many<NeededCurrency>(
    sql`select distinct p.id as platform_id, n.currency as code, n.used_for from platforms p
        cross join lateral (
          select c.currency, 'SUPPORTED_CURRENCY' as used_for from platform_currencies c where c.platform_id = p.id
          union
          select e.currency, 'EXTERNAL_ACCOUNT' from external_accounts e
          where e.platform_id = p.id and e.deleted_at is null
        ) n
        where p.id = any(${platformIds}::uuid[])`,
  )

export const findPlatformOfCustomer = (tx: Tx, id: Id<'customer'>) =>
  findPlatformOf(tx, sql`customers`, id)

export const findPlatformOfTransaction = (tx: Tx, id: Id<'transaction'>) =>
  findPlatformOf(tx, sql`transactions`, id)
