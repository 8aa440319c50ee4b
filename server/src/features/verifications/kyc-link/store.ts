import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

export type KycLink = Readonly<{
  platformId: Id<'platform'>
  id: string
  customerId: Id<'customer'>
  redirectUri: string | null
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
}>

const COLUMNS = sql`platform_id, id, customer_id, redirect_uri, created_at, expires_at, used_at`

export function insertKycLink(tx: Tx, link: KycLink & { tokenDigest: Buffer }): void {
  tx.queueWrite(
    sql`insert into kyc_links (platform_id, id, customer_id, token_digest, redirect_uri, created_at, expires_at,
          used_at)
        values (${link.platformId}, ${link.id}, ${link.customerId}, ${link.tokenDigest}, ${link.redirectUri},
          ${link.createdAt}, ${link.expiresAt}, ${link.usedAt})`,
  )
}

/** The visitor has only the token, so the link may be of any platform. */
export const findKycLinkByToken = (tx: Tx, tokenDigest: Buffer): Promise<KycLink | undefined> =>
  tx.find<KycLink>(sql`select ${COLUMNS} from kyc_links where token_digest = ${tokenDigest}`)

export const readKycLink = (tx: Tx, platformId: Id<'platform'>, id: string): Promise<KycLink> =>
  tx.one<KycLink>(
    sql`select ${COLUMNS} from kyc_links where platform_id = ${platformId} and id = ${id}`,
  )

export function markLinkUsed(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, usedAt }: { id: string; usedAt: Date },
): void {
  tx.queueWrite(
    sql`update kyc_links set used_at = ${usedAt} where platform_id = ${platformId} and id = ${id}`,
  )
}

/** The columns with the times of the latest uses, by kind of use. */
const TIMES = { request: sql`requested_at`, inspection: sql`inspected_at` } as const

export type LinkUse = keyof typeof TIMES

/**
 * Records a use and drops the oldest of `max`; false if there were `max` uses since that time. Runs as a separate
 * transaction, so that no request waits for another's.
 */
export async function countUse(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, what, max, since, at }: { id: string; what: LinkUse; max: number; since: Date; at: Date },
): Promise<boolean> {
  const times = TIMES[what]
  const counted = await tx.run(
    sql`update kyc_links
        set ${times} = ${times}[cardinality(${times}) - ${max}::integer + 2 :] || ${at}::timestamptz
        where platform_id = ${platformId} and id = ${id}
          and (cardinality(${times}) < ${max} or ${times}[1] <= ${since})`,
  )
  return counted > 0
}

export async function readOldestUse(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, what }: { id: string; what: LinkUse },
): Promise<Date> {
  const { oldest } = await tx.one<{ oldest: Date }>(
    sql`select (${TIMES[what]})[1] as oldest from kyc_links
        where platform_id = ${platformId} and id = ${id}`,
  )
  return oldest
}
