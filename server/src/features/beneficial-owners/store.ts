import type { Id } from '../../kernel/ids.ts'
import type { PageByCreation } from '../../kernel/page.ts'
import { given, type Columns } from '../../infra/db/statement/given.ts'
import { openJson, sealJson } from '../../infra/db/sealed-json.ts'
import { afterCreation, byCreation, countCapped } from '../../infra/db/list-rows.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'

type PlatformId = Id<'platform'>
type OwnerId = Id<'beneficialOwner'>

const COLUMNS = sql`id, customer_id, roles, ownership_percentage, personal_info, identifier, status, coverage,
  created_at, updated_at`

const toOwner = ({ keyring }: Tx, row: BeneficialOwner): BeneficialOwner => ({
  ...row,
  personalInfo: openJson(keyring, 'ownerInfo', { id: row.id, value: row.personalInfo }),
})

const infoOf = ({ keyring }: Tx, { id, personalInfo }: BeneficialOwner): string =>
  sealJson(keyring, 'ownerInfo', { id, value: sql.json(personalInfo) })

export async function findOwner(
  tx: Tx,
  platformId: PlatformId,
  id: OwnerId,
): Promise<BeneficialOwner | undefined> {
  const row = await tx.find<BeneficialOwner>(
    sql`select ${COLUMNS} from beneficial_owners where platform_id = ${platformId} and id = ${id}`,
  )
  return row && toOwner(tx, row)
}

/** All owners of a business, oldest first. Writers hold the lock of the business. */
export async function listOwnersOf(
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<BeneficialOwner[]> {
  const rows = await tx.many<BeneficialOwner>(
    sql`select ${COLUMNS} from beneficial_owners
        where platform_id = ${platformId} and customer_id = ${customerId} order by created_at, id`,
  )
  return rows.map((row) => toOwner(tx, row))
}

const ofBusiness = (platformId: PlatformId, customerId: Id<'customer'>): Sql =>
  sql`platform_id = ${platformId} and customer_id = ${customerId}`

/** Newest first. */
export async function listOwnerPage(
  tx: Tx,
  platformId: PlatformId,
  { customerId, after, fetch }: Readonly<{ customerId: Id<'customer'> }> & PageByCreation,
): Promise<BeneficialOwner[]> {
  const conditions = [ofBusiness(platformId, customerId), ...afterCreation(after)]
  const rows = await tx.many<BeneficialOwner>(
    sql`select ${COLUMNS} from beneficial_owners where ${sql.and(conditions)}
        order by ${byCreation()} limit ${fetch}`,
  )
  return rows.map((row) => toOwner(tx, row))
}

export const countOwners = (
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<number> =>
  countCapped(tx, sql`beneficial_owners where ${ofBusiness(platformId, customerId)}`)

/** Written immediately, because a review that reacts to it reads all owners. */
export async function insertOwner(
  tx: Tx,
  platformId: PlatformId,
  owner: BeneficialOwner,
): Promise<void> {
  await tx.run(
    sql`insert into beneficial_owners (platform_id, id, customer_id, roles, ownership_percentage, personal_info,
          identifier, status, coverage, created_at, updated_at)
        values (${platformId}, ${owner.id}, ${owner.customerId}, ${owner.roles}::text[], ${owner.ownershipPercentage},
          ${infoOf(tx, owner)}::jsonb, ${owner.identifier}, ${owner.status}, ${owner.coverage},
          ${owner.createdAt}, ${owner.updatedAt})`,
  )
}

/** Written immediately, as insertOwner. */
export async function saveOwner(
  tx: Tx,
  platformId: PlatformId,
  owner: BeneficialOwner,
): Promise<void> {
  await tx.run(
    sql`update beneficial_owners set roles = ${owner.roles}::text[],
          ownership_percentage = ${owner.ownershipPercentage},
          personal_info = ${infoOf(tx, owner)}::jsonb, identifier = ${owner.identifier},
          status = ${owner.status}, coverage = ${owner.coverage}, updated_at = ${owner.updatedAt}
        where platform_id = ${platformId} and id = ${owner.id}`,
  )
}

export type OwnerMove = Pick<BeneficialOwner, 'id' | 'status' | 'coverage' | 'updatedAt'>

const MOVE: Columns<OwnerMove> = {
  id: ['uuid', (move) => move.id],
  status: ['text', (move) => move.status],
  coverage: ['text', (move) => move.coverage],
  updated_at: ['timestamptz', (move) => move.updatedAt],
}

/** Written immediately: a business may be submitted and decided in one transaction, moving its owners twice. */
export async function saveOwnerMoves(
  tx: Tx,
  platformId: PlatformId,
  moves: readonly OwnerMove[],
): Promise<void> {
  await tx.run(
    sql`update beneficial_owners o set status = m.status, coverage = m.coverage, updated_at = m.updated_at
        from ${given('m', MOVE, moves)}
        where o.platform_id = ${platformId} and o.id = m.id`,
  )
}
