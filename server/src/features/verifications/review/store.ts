/** Queries across platforms, for the operator only. */
import type { Id } from '../../../kernel/ids.ts'
import { openJson } from '../../../infra/db/sealed-json.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { findPlatformOf } from '../../../infra/platforms.ts'
import type { BeneficialOwner } from '../../beneficial-owners/index.ts'
import {
  CUSTOMER_NAME,
  nameCustomers,
  type CustomerStatus,
  type CustomerType,
  type SealedName,
} from '../../customers/lists.ts'
import type { VerificationStatus } from '../status/machine.ts'
import { ofPlatforms } from '../../../infra/db/list-rows.ts'

export type ReviewLine = Readonly<{
  verificationId: Id<'verification'> | null
  customerId: Id<'customer'>
  platformId: Id<'platform'>
  customerType: CustomerType
  /** The name of the person or company. */
  customerName: string | null
  verificationStatus: VerificationStatus | null
  status: CustomerStatus
  submittedAt: Date
  /** Whether the review is about owners outside coverage, not about a packet. */
  isOwnerReview: boolean
  /** Ids and names of the owners outside coverage (KYB-11, KYB-12). */
  ownerIds: readonly Id<'beneficialOwner'>[]
  ownerNames: readonly string[]
  /** Reasons of open findings of screenings and alerts. */
  flags: readonly string[]
}>

type Outside = Readonly<{
  owners: readonly Pick<BeneficialOwner, 'id' | 'personalInfo'>[]
}>

function nameOwners(
  { keyring }: Tx,
  { owners, ...line }: Omit<ReviewLine, 'ownerIds' | 'ownerNames'> & Outside,
): ReviewLine {
  const ownerNames = owners.map(({ id, personalInfo: value }) => {
    const { firstName, lastName } = openJson(keyring, 'ownerInfo', { id, value })
    return `${firstName} ${lastName}`
  })
  return { ...line, ownerIds: owners.map(({ id }) => id), ownerNames }
}

export type ReviewFilters = Readonly<{
  platformIds: readonly Id<'platform'>[] | null
  /** Status of the customer or of the verification. */
  status: string | undefined
  /** Undefined lists all. */
  limit: number | undefined
}>

/** Pending customers, customers on hold, businesses with an open owner review, and customers with open flags. */
const UNDECIDED = sql`
  select platform_id, id from customers where status in ('PENDING', 'HOLD') and not is_deleted
  union
  select v.platform_id, v.customer_id from verifications v
  join customers c on c.platform_id = v.platform_id and c.id = v.customer_id and not c.is_deleted
  where v.is_owner_review and v.status in ('RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW')
  union
  select f.platform_id, f.customer_id from review_flags f
  join customers c on c.platform_id = f.platform_id and c.id = f.customer_id and not c.is_deleted
  where f.closed_at is null`

/** Open reviews, oldest first, with the open verification if there is one. */
export async function listReviews(
  tx: Tx,
  { platformIds, status, limit }: ReviewFilters,
): Promise<ReviewLine[]> {
  const rows = await tx.many<Omit<ReviewLine, 'ownerIds' | 'ownerNames'> & SealedName & Outside>(
    sql`select v.id as verification_id, c.id as customer_id, c.platform_id, c.customer_type,
          ${CUSTOMER_NAME},
          v.status as verification_status, c.status, coalesce(v.submitted_at, c.created_at) as submitted_at,
          coalesce(v.is_owner_review, false) as is_owner_review,
          outside.owners,
          array(select distinct f.reason from review_flags f
            where f.platform_id = c.platform_id and f.customer_id = c.id and f.closed_at is null order by 1) as flags
        from (${UNDECIDED}) u
        join customers c on c.platform_id = u.platform_id and c.id = u.id
        cross join lateral (
          select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'personalInfo', o.personal_info)
            order by o.created_at, o.id), '[]') as owners
          from beneficial_owners o
          where o.platform_id = c.platform_id and o.customer_id = c.id
            and o.coverage in ('OUTSIDE', 'OUTSIDE_MAJOR')) outside
        left join verifications v on v.platform_id = c.platform_id and v.customer_id = c.id
          and v.status in ('RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW')
        where (${status ?? null}::text is null or ${status ?? null} in (c.status, v.status))
          ${ofPlatforms(platformIds, sql`c.platform_id`)}
        order by submitted_at, c.id limit ${limit ?? null}`,
  )
  return nameCustomers(tx.keyring, rows).map((row) => nameOwners(tx, row))
}

/** The number of open reviews, counted up to `atMost`. */
export async function countReviews(tx: Tx, { atMost }: { atMost: number }): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from (select from (${UNDECIDED}) u limit ${atMost}) counted`,
  )
  return count
}

export const findPlatformOfVerification = (tx: Tx, id: Id<'verification'>) =>
  findPlatformOf(tx, sql`verifications`, id)

export const findPlatformOfDocument = (tx: Tx, id: Id<'document'>) =>
  findPlatformOf(tx, sql`documents`, id)
