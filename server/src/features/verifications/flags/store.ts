import { newUuid, type Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Work } from '../../../infra/work/work.ts'

/** `INFO` appears on the review list and blocks nothing. */
export type FlagLevel = 'INFO' | 'REVIEW' | 'BLOCK'

export type ReviewFlag = Readonly<{
  /** The customer, an owner or an account of it, as the API shows the id. */
  subject: string
  reason: string
  level: FlagLevel
  raisedAt: Date
}>

type FlagContext = Pick<Work, 'tx' | 'platform'>

type NewFlag = Pick<ReviewFlag, 'subject' | 'reason' | 'level'> &
  Readonly<{ customerId: Id<'customer'> }>

/** Queues a flag for the commit. A flag that is open already does not change. */
export function raiseFlag(
  { tx, platform, now }: FlagContext & Pick<Work, 'now'>,
  { customerId, subject, reason, level }: NewFlag,
): void {
  tx.queueWrite(
    sql`insert into review_flags (platform_id, id, customer_id, subject, reason, level, raised_at)
        values (${platform.id}, ${newUuid()}, ${customerId}, ${subject}, ${reason}, ${level}, ${now})
        on conflict (platform_id, customer_id, subject, reason) where closed_at is null do nothing`,
  )
}

export const listOpenFlags = (
  { tx, platform }: FlagContext,
  customerId: Id<'customer'>,
): Promise<ReviewFlag[]> =>
  tx.many<ReviewFlag>(
    sql`select subject, reason, level, raised_at from review_flags
        where platform_id = ${platform.id} and customer_id = ${customerId} and closed_at is null
        order by raised_at, id`,
  )

/** Whether a provider has ever blocked the customer; undoing the effects then needs a note (PROV-107). */
export async function wasBlocked(
  { tx, platform }: FlagContext,
  customerId: Id<'customer'>,
): Promise<boolean> {
  const { was } = await tx.one<{ was: boolean }>(
    sql`select exists (select from review_flags
          where platform_id = ${platform.id} and customer_id = ${customerId} and level = 'BLOCK') as was`,
  )
  return was
}

/** Queues the update for the commit. */
export function closeOpenFlags(
  { tx, platform, now }: FlagContext & Pick<Work, 'now'>,
  customerId: Id<'customer'>,
): void {
  tx.queueWrite(
    sql`update review_flags set closed_at = ${now}
        where platform_id = ${platform.id} and customer_id = ${customerId} and closed_at is null`,
  )
}
