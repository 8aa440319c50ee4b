import type { Id } from '../../kernel/ids.ts'
import { TOTAL_COUNT_MAX } from '../../kernel/page.ts'
import { given, type Columns } from '../../infra/db/given.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { CustomerStatus } from '../customers/index.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'

type PlatformId = Id<'platform'>
type OwnerId = Id<'beneficialOwner'>

const COLUMNS = sql`id, customer_id, roles, ownership_percentage, personal_info, identifier, status, created_at,
  updated_at`

export const findOwner = (
  tx: Tx,
  platformId: PlatformId,
  id: OwnerId,
): Promise<BeneficialOwner | undefined> =>
  tx.maybe<BeneficialOwner>(
    sql`select ${COLUMNS} from beneficial_owners where platform_id = ${platformId} and id = ${id}`,
  )

/** All of a business, oldest first. Whoever changes one holds the lock on the business. */
export const listOwnersOf = (
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<BeneficialOwner[]> =>
  tx.many<BeneficialOwner>(
    sql`select ${COLUMNS} from beneficial_owners
        where platform_id = ${platformId} and customer_id = ${customerId} order by created_at, id`,
  )

export type OwnerPage = Readonly<{
  customerId: Id<'customer'>
  after: Readonly<{ createdAt: string; id: string }> | undefined
  fetch: number
}>

/** Newest first. */
export function listOwnerPage(
  tx: Tx,
  platformId: PlatformId,
  { customerId, after, fetch }: OwnerPage,
): Promise<BeneficialOwner[]> {
  const beyond = after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql.empty
  return tx.many<BeneficialOwner>(
    sql`select ${COLUMNS} from beneficial_owners
        where platform_id = ${platformId} and customer_id = ${customerId} ${beyond}
        order by created_at desc, id desc limit ${fetch}`,
  )
}

export async function countOwners(
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<number> {
  const { total } = await tx.one<{ total: number }>(
    sql`select count(*)::integer as total from (select 1 from beneficial_owners
          where platform_id = ${platformId} and customer_id = ${customerId} limit ${TOTAL_COUNT_MAX}) counted`,
  )
  return total
}

export function insertOwner(tx: Tx, platformId: PlatformId, owner: BeneficialOwner): void {
  tx.trail(
    sql`insert into beneficial_owners (platform_id, id, customer_id, roles, ownership_percentage, personal_info,
          identifier, status, created_at, updated_at)
        values (${platformId}, ${owner.id}, ${owner.customerId}, ${owner.roles}::text[], ${owner.ownershipPercentage},
          ${sql.json(owner.personalInfo)}::jsonb, ${owner.identifier}, ${owner.status}, ${owner.createdAt},
          ${owner.updatedAt})`,
  )
}

export function saveOwner(tx: Tx, platformId: PlatformId, owner: BeneficialOwner): void {
  tx.trail(
    sql`update beneficial_owners set roles = ${owner.roles}::text[],
          ownership_percentage = ${owner.ownershipPercentage},
          personal_info = ${sql.json(owner.personalInfo)}::jsonb, identifier = ${owner.identifier},
          updated_at = ${owner.updatedAt}
        where platform_id = ${platformId} and id = ${owner.id}`,
  )
}

export type OwnerMove = Readonly<{ id: OwnerId; status: CustomerStatus }>

const MOVE: Columns<OwnerMove> = {
  id: ['uuid', (move) => move.id],
  status: ['text', (move) => move.status],
}

/** At once: a business may be submitted and decided in one transaction, and its owners move both times. */
export async function saveOwnerStatuses(
  tx: Tx,
  platformId: PlatformId,
  { moves, now }: { moves: readonly OwnerMove[]; now: Date },
): Promise<void> {
  await tx.run(
    sql`update beneficial_owners o set status = m.status, updated_at = ${now}
        from ${given('m', MOVE, moves)}
        where o.platform_id = ${platformId} and o.id = m.id`,
  )
}
