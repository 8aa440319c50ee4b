import type { Id } from '../../kernel/ids.ts'
import type { PageByCreation } from '../../kernel/page.ts'
import { afterCreation, byCreation, countCapped } from '../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { CustomerStatus } from '../customers/index.ts'
import { OPEN_STATUSES } from './status/machine.ts'
import type { Verification } from './verification.ts'

type PlatformId = Id<'platform'>
type CustomerId = Id<'customer'>

type Row = Omit<Verification, 'snapshotId'> & Readonly<{ snapshotId: string | null }>

const COLUMNS = sql`id, customer_id, status, is_owner_review, errors, reviewer_entries, snapshot_id, submitted_at, created_at,
  updated_at`

const isOpen = sql`status in (${sql.join(OPEN_STATUSES.map(sql.word), ', ')})`

const toVerification = (row: Row): Verification => ({
  ...row,
  snapshotId: row.snapshotId ?? undefined,
})

export async function findVerificationRow(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'verification'>,
): Promise<Verification | undefined> {
  const row = await tx.find<Row>(
    sql`select ${COLUMNS} from verifications where platform_id = ${platformId} and id = ${id}`,
  )
  return row && toVerification(row)
}

/** A customer has at most one (verifications_one_open). Writers hold the customer's lock. */
export async function findOpenVerification(
  tx: Tx,
  platformId: PlatformId,
  customerId: CustomerId,
): Promise<Verification | undefined> {
  const row = await tx.find<Row>(
    sql`select ${COLUMNS} from verifications
        where platform_id = ${platformId} and customer_id = ${customerId} and ${isOpen}`,
  )
  return row && toVerification(row)
}

/** The customer's current verification, open or decided. */
export async function findLatestVerification(
  tx: Tx,
  platformId: PlatformId,
  customerId: CustomerId,
): Promise<Verification | undefined> {
  const row = await tx.maybe<Row>(
    sql`select ${COLUMNS} from verifications where platform_id = ${platformId} and customer_id = ${customerId}
        order by created_at desc, id desc limit 1`,
  )
  return row && toVerification(row)
}

export function insertVerification(
  tx: Tx,
  platformId: PlatformId,
  verification: Verification,
): void {
  tx.queueWrite(
    sql`insert into verifications (platform_id, id, customer_id, status, is_owner_review, errors, reviewer_entries,
          snapshot_id, submitted_at, created_at, updated_at)
        values (${platformId}, ${verification.id}, ${verification.customerId}, ${verification.status},
          ${verification.isOwnerReview}, ${sql.json(verification.errors)}::jsonb, ${sql.json(verification.reviewerEntries)}::jsonb,
          ${verification.snapshotId ?? null}, ${verification.submittedAt}, ${verification.createdAt},
          ${verification.updatedAt})`,
  )
}

export function saveVerification(tx: Tx, platformId: PlatformId, verification: Verification): void {
  tx.queueWrite(
    sql`update verifications set status = ${verification.status}, errors = ${sql.json(verification.errors)}::jsonb,
          reviewer_entries = ${sql.json(verification.reviewerEntries)}::jsonb,
          is_owner_review = ${verification.isOwnerReview},
          snapshot_id = ${verification.snapshotId ?? null}, submitted_at = ${verification.submittedAt},
          updated_at = ${verification.updatedAt}
        where platform_id = ${platformId} and id = ${verification.id}`,
  )
}

export type VerificationFilters = Readonly<{
  customerId: CustomerId | undefined
  /** May be READY_FOR_VERIFICATION, which matches none. */
  status: string | undefined
}>

const matching = (platformId: PlatformId, filters: VerificationFilters): Sql[] => [
  sql`platform_id = ${platformId}`,
  ...when(filters.customerId, (id) => sql`customer_id = ${id}`),
  ...when(filters.status, (status) => sql`status = ${status}`),
]

/** Newest first. */
export async function listVerificationPage(
  tx: Tx,
  platformId: PlatformId,
  { filters, after, fetch }: Readonly<{ filters: VerificationFilters }> & PageByCreation,
): Promise<Verification[]> {
  const conditions = [...matching(platformId, filters), ...afterCreation(after)]
  const rows = await tx.many<Row>(
    sql`select ${COLUMNS} from verifications where ${sql.and(conditions)}
        order by ${byCreation()} limit ${fetch}`,
  )
  return rows.map(toVerification)
}

export const countVerifications = (
  tx: Tx,
  platformId: PlatformId,
  filters: VerificationFilters,
): Promise<number> =>
  countCapped(tx, sql`verifications where ${sql.and(matching(platformId, filters))}`)

export type Snapshot = Readonly<{
  id: string
  verificationId: Id<'verification'>
  takenAt: Date
  /** The submitted data, sealed. */
  content: Buffer
  documentIds: readonly Id<'document'>[]
}>

export function insertSnapshot(tx: Tx, platformId: PlatformId, snapshot: Snapshot): void {
  const { id, verificationId, takenAt, content, documentIds } = snapshot
  tx.queueWrite(
    sql`insert into verification_snapshots (platform_id, id, verification_id, taken_at, content)
        values (${platformId}, ${id}, ${verificationId}, ${takenAt}, ${content})`,
  )
  if (documentIds.length === 0) return
  tx.queueWrite(
    sql`insert into verification_snapshot_documents (platform_id, snapshot_id, document_id)
        select ${platformId}::uuid, ${id}::uuid, d from unnest(${documentIds}::uuid[]) d`,
  )
}

export const findSnapshot = (
  tx: Tx,
  platformId: PlatformId,
  id: string,
): Promise<Pick<Snapshot, 'id' | 'takenAt' | 'content'> | undefined> =>
  tx.find(
    sql`select id, taken_at, content from verification_snapshots
        where platform_id = ${platformId} and id = ${id}`,
  )

/** The snapshot of the last accepted submission, with which an open owner review is compared. */
export async function findLatestSnapshotId(
  tx: Tx,
  platformId: PlatformId,
  customerId: CustomerId,
): Promise<string | undefined> {
  const row = await tx.maybe<{ snapshotId: string }>(
    sql`select snapshot_id from verifications
        where platform_id = ${platformId} and customer_id = ${customerId} and snapshot_id is not null
          and not is_owner_review
        order by created_at desc, id desc limit 1`,
  )
  return row?.snapshotId
}

/** The latest verification, under review or decided, that was submitted with this document. */
export async function findVerificationWith(
  tx: Tx,
  platformId: PlatformId,
  { customerId, documentId }: { customerId: CustomerId; documentId: Id<'document'> },
): Promise<Id<'verification'> | undefined> {
  const row = await tx.maybe<{ id: Id<'verification'> }>(
    sql`select v.id from verifications v
        join verification_snapshot_documents d on d.platform_id = v.platform_id and d.snapshot_id = v.snapshot_id
        where v.platform_id = ${platformId} and v.customer_id = ${customerId} and d.document_id = ${documentId}
          and v.status <> 'RESOLVE_ERRORS'
        order by v.created_at desc, v.id desc limit 1`,
  )
  return row?.id
}

export type Hold = Readonly<{ customerId: CustomerId; statusBefore: CustomerStatus; heldAt: Date }>

export function insertHold(tx: Tx, platformId: PlatformId, hold: Hold): void {
  tx.queueWrite(
    sql`insert into customer_holds (platform_id, customer_id, status_before, held_at)
        values (${platformId}, ${hold.customerId}, ${hold.statusBefore}, ${hold.heldAt})`,
  )
}

export const findHold = (
  tx: Tx,
  platformId: PlatformId,
  customerId: CustomerId,
): Promise<Hold | undefined> =>
  tx.find<Hold>(
    sql`select customer_id, status_before, held_at from customer_holds
        where platform_id = ${platformId} and customer_id = ${customerId}`,
  )

export function removeHold(tx: Tx, platformId: PlatformId, customerId: CustomerId): void {
  tx.queueWrite(
    sql`delete from customer_holds where platform_id = ${platformId} and customer_id = ${customerId}`,
  )
}
