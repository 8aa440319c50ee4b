import type { Id } from '../../../kernel/ids.ts'
import type { PageByCreation } from '../../../kernel/page.ts'
import { afterCreation, byCreation, countCapped } from '../../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Stablecoin } from '../coins/stablecoin.ts'
import type { OperationType, StablecoinOperation } from './stablecoin-operation.ts'

type PlatformId = Id<'platform'>
type OperationId = Id<'stablecoinOperation'>

const COLUMNS = sql`id, stablecoin_id, link_id, provider, operation_type, status, amount, source_type,
  source_account_id, destination_account_id, destination_rail, description, estimated_delivery, funding_instructions,
  expires_at, provider_status, provider_reference, failure_reason, created_at, updated_at`

/** An operation before the provider's first answer. */
export type NewOperation = Omit<
  StablecoinOperation,
  | 'status'
  | 'fundingInstructions'
  | 'expiresAt'
  | 'providerStatus'
  | 'providerReference'
  | 'failureReason'
>

export type OperationRequest = Readonly<{ key: string; fingerprint: Buffer }>

/** False where another request under the same key has inserted one. */
export async function insertOperation(
  tx: Tx,
  platformId: PlatformId,
  operation: NewOperation,
  request: OperationRequest,
): Promise<boolean> {
  const { estimatedDelivery } = operation
  const inserted = await tx.run(
    sql`insert into stablecoin_operations (platform_id, id, stablecoin_id, link_id, provider, operation_type, status,
          amount, source_type, source_account_id, destination_account_id, destination_rail, description,
          estimated_delivery, request_key, request_fingerprint, created_at, updated_at)
        values (${platformId}, ${operation.id}, ${operation.stablecoinId}, ${operation.linkId}, ${operation.provider},
          ${operation.operationType}, 'CREATED', ${operation.amount}, ${operation.sourceType},
          ${operation.sourceAccountId}, ${operation.destinationAccountId}, ${operation.destinationRail},
          ${operation.description}, ${estimatedDelivery && sql.json(estimatedDelivery)}, ${request.key},
          ${request.fingerprint}, ${operation.createdAt}, ${operation.updatedAt})
        on conflict (platform_id, request_key) where request_key is not null do nothing`,
  )
  return inserted === 1
}

/** Releases the key of an operation that was created by `before`. */
export async function releaseRequestKey(
  tx: Tx,
  platformId: PlatformId,
  { key, before }: { key: string; before: Date },
): Promise<void> {
  await tx.run(
    sql`update stablecoin_operations set request_key = null
        where platform_id = ${platformId} and request_key = ${key} and created_at <= ${before}`,
  )
}

export async function findOperationOfRequest(
  tx: Tx,
  platformId: PlatformId,
  key: string,
): Promise<(Pick<StablecoinOperation, 'id' | 'status'> & { fingerprint: Buffer }) | undefined> {
  return tx.find(
    sql`select id, status, request_fingerprint as fingerprint from stablecoin_operations
        where platform_id = ${platformId} and request_key = ${key}`,
  )
}

/** Finds an operation that the provider has answered; others are not visible. */
export async function findOperation(
  tx: Tx,
  platformId: PlatformId,
  id: OperationId,
): Promise<StablecoinOperation | undefined> {
  return tx.find<StablecoinOperation>(
    sql`select ${COLUMNS} from stablecoin_operations
        where platform_id = ${platformId} and id = ${id} and status <> 'CREATED'`,
  )
}

/** Operations that are not final and name an account of this customer, oldest first. */
export async function listOpenOperationsOf(
  tx: Tx,
  platformId: PlatformId,
  { customerId, resumableFrom }: Readonly<{ customerId: Id<'customer'>; resumableFrom: Date }>,
): Promise<OperationId[]> {
  const rows = await tx.many<{ id: OperationId }>(
    sql`select o.id from stablecoin_operations o
        where o.platform_id = ${platformId} and o.status not in ('COMPLETED', 'FAILED', 'EXPIRED')
          and (o.status <> 'CREATED' or o.request_key is not null and o.created_at > ${resumableFrom})
          and exists (select from external_accounts a where a.platform_id = o.platform_id
            and a.customer_id = ${customerId} and a.id in (o.source_account_id, o.destination_account_id))
        order by o.created_at, o.id`,
  )
  return rows.map(({ id }) => id)
}

export async function lockOperation(
  tx: Tx,
  platformId: PlatformId,
  id: OperationId,
): Promise<StablecoinOperation | undefined> {
  return tx.maybe<StablecoinOperation>(
    sql`select ${COLUMNS} from stablecoin_operations
        where platform_id = ${platformId} and id = ${id} for no key update`,
  )
}

/** Saves the columns of an operation that can change. */
export async function saveOperation(
  tx: Tx,
  platformId: PlatformId,
  operation: StablecoinOperation,
): Promise<void> {
  const { fundingInstructions } = operation
  await tx.run(
    sql`update stablecoin_operations set status = ${operation.status},
          funding_instructions = ${fundingInstructions && sql.json(fundingInstructions)},
          expires_at = ${operation.expiresAt}, provider_status = ${operation.providerStatus},
          provider_reference = ${operation.providerReference}, failure_reason = ${operation.failureReason},
          created_at = ${operation.createdAt}, updated_at = ${operation.updatedAt}
        where platform_id = ${platformId} and id = ${operation.id}`,
  )
}

export type OperationFilters = Readonly<{
  stablecoinId: Id<'stablecoin'>
  operationType?: OperationType | undefined
}>

function matching(platformId: PlatformId, filters: OperationFilters): Sql[] {
  const { stablecoinId, operationType } = filters
  return [
    sql`platform_id = ${platformId}`,
    sql`stablecoin_id = ${stablecoinId}`,
    sql`status <> 'CREATED'`,
    ...when(operationType, (type) => sql`operation_type = ${type}`),
  ]
}

/** Newest first. */
export async function listOperations(
  tx: Tx,
  platformId: PlatformId,
  page: Readonly<{ filters: OperationFilters }> & PageByCreation,
): Promise<StablecoinOperation[]> {
  const { filters, after, fetch } = page
  const conditions = [...matching(platformId, filters), ...afterCreation(after)]
  return tx.many<StablecoinOperation>(
    sql`select ${COLUMNS} from stablecoin_operations where ${sql.and(conditions)}
        order by ${byCreation()} limit ${fetch}`,
  )
}

export const countOperations = (
  tx: Tx,
  platformId: PlatformId,
  filters: OperationFilters,
): Promise<number> =>
  countCapped(tx, sql`stablecoin_operations where ${sql.and(matching(platformId, filters))}`)

/** Moves operations that the provider has not answered yet to the coin's link. */
export async function moveUnstartedOperations(
  tx: Tx,
  platformId: Id<'platform'>,
  { id, linkId }: Pick<Stablecoin, 'id' | 'linkId'>,
): Promise<void> {
  await tx.run(
    sql`update stablecoin_operations set link_id = ${linkId}
        where platform_id = ${platformId} and stablecoin_id = ${id} and status = 'CREATED'`,
  )
}
