import type { Id } from '../../../kernel/ids.ts'
import type { WaitingPage } from '../../../kernel/page.ts'
import type { Environment } from '../../../kernel/platform.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { afterPlace, countWaiting, ofPlatforms } from '../../../infra/db/list-rows.ts'
import { CUSTOMER_NAME, nameCustomers, type SealedName } from '../../customers/index.ts'
import type { EnrolledFactor, ScaFactor } from '../factors/factor.ts'
import type { ResetStatus } from './machine.ts'

type PlatformId = Id<'platform'>

export type ScaReset = Readonly<{
  id: Id<'scaReset'>
  customerId: Id<'customer'>
  factor: ScaFactor
  status: ResetStatus
  createdAt: Date
  expiresAt: Date
  completedAt: Date | null
  enrolledAt: Date | null
}>

const COLUMNS = sql`r.id, r.customer_id, r.factor, r.status, r.created_at, r.expires_at, r.completed_at, r.enrolled_at`

export function insertReset(
  tx: Tx,
  platformId: PlatformId,
  { linkDigest, ...reset }: ScaReset & { linkDigest: Buffer },
): void {
  tx.queueWrite(
    sql`insert into sca_resets (platform_id, id, customer_id, factor, status, link_digest, created_at, expires_at)
        values (${platformId}, ${reset.id}, ${reset.customerId}, ${reset.factor}, ${reset.status}, ${linkDigest},
          ${reset.createdAt}, ${reset.expiresAt})`,
  )
}

export function findReset(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'scaReset'>,
): Promise<ScaReset | undefined> {
  return tx.find<ScaReset>(
    sql`select ${COLUMNS} from sca_resets r where r.platform_id = ${platformId} and r.id = ${id}`,
  )
}

/** When the latest resets began, oldest first. */
export async function listResetStarts(
  tx: Tx,
  platformId: PlatformId,
  { customerId, since }: { customerId: Id<'customer'>; since: Date },
): Promise<Date[]> {
  const rows = await tx.many<{ createdAt: Date }>(
    sql`select created_at from sca_resets
        where platform_id = ${platformId} and customer_id = ${customerId} and created_at > ${since}
        order by created_at`,
  )
  return rows.map(({ createdAt }) => createdAt)
}

export function saveResetStatus(
  tx: Tx,
  platformId: PlatformId,
  { id, status, completedAt }: Pick<ScaReset, 'id' | 'status' | 'completedAt'>,
): void {
  tx.queueWrite(
    sql`update sca_resets set status = ${status}, completed_at = ${completedAt}
        where platform_id = ${platformId} and id = ${id}`,
  )
}

/** Expires the unfinished resets of a factor, or of all factors if it is null (SCA-32). */
export function expireResets(
  tx: Tx,
  platformId: PlatformId,
  { customerId, factor }: { customerId: Id<'customer'>; factor: ScaFactor | null },
): void {
  tx.queueWrite(
    sql`update sca_resets set status = 'EXPIRED'
        where platform_id = ${platformId} and customer_id = ${customerId}
          and (${factor}::text is null or factor = ${factor})
          and status in ('INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED')`,
  )
}

/** Notes on completed resets that their factor is enrolled again (SCA-33). */
export function markReenrolled(
  tx: Tx,
  platformId: PlatformId,
  { customerId, factor, at }: { customerId: Id<'customer'>; factor: EnrolledFactor; at: Date },
): void {
  tx.queueWrite(
    sql`update sca_resets set enrolled_at = ${at}
        where platform_id = ${platformId} and customer_id = ${customerId} and factor = ${factor}
          and status = 'COMPLETED' and enrolled_at is null`,
  )
}

export type PlacedReset = ScaReset & Readonly<{ platformId: PlatformId }>

/** Finds a reset of any platform, since an operator names it by its id alone. */
export function findPlacedReset(tx: Tx, id: Id<'scaReset'>): Promise<PlacedReset | undefined> {
  return tx.find<PlacedReset>(
    sql`select r.platform_id, ${COLUMNS} from sca_resets r where r.id = ${id}`,
  )
}

/** Finds a reset of any platform, since its link names none. */
export function findResetByLink(tx: Tx, linkDigest: Buffer): Promise<PlacedReset | undefined> {
  return tx.find<PlacedReset>(
    sql`select r.platform_id, ${COLUMNS} from sca_resets r where r.link_digest = ${linkDigest}`,
  )
}

export type ResetReview = PlacedReset &
  Readonly<{ environment: Environment; customerName: string | null }>

/** Resets that wait for an operator, oldest first, by the clock of each platform. */
const waiting =
  (realTime: Date) =>
  ({ platformIds, after, limit }: WaitingPage): Sql =>
    sql`select r.platform_id, p.environment, ${COLUMNS},
          ${CUSTOMER_NAME}
        from sca_resets r join platforms p on p.id = r.platform_id
          left join customers c on c.platform_id = r.platform_id and c.id = r.customer_id
        where r.status = 'PENDING_REVIEW' ${ofPlatforms(platformIds, sql`r.platform_id`)}
          and r.expires_at > ${realTime}::timestamptz + p.clock_offset_ms * interval '1 millisecond'
          ${afterPlace(after, sql`r.created_at, r.id`)}
        order by r.created_at, r.id limit ${limit}`

export const listResetReviews = async (
  tx: Tx,
  { realTime, ...page }: WaitingPage & Readonly<{ realTime: Date }>,
): Promise<ResetReview[]> =>
  nameCustomers(tx.keyring, await tx.many<ResetReview & SealedName>(waiting(realTime)(page)))

export const countResetReviews = (
  tx: Tx,
  { realTime, ...bound }: Readonly<{ realTime: Date; atMost: number }>,
): Promise<number> => countWaiting(tx, waiting(realTime), bound)
