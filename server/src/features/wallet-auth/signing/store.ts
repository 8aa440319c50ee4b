import type { Id } from '../../../kernel/ids.ts'
import { given } from '../../../infra/db/statement/given.ts'
import { RESOURCE_KEY } from '../../../infra/db/statement/resource-key.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { signatureRequest, type SignatureRequestState } from './machine.ts'

type PlatformId = Id<'platform'>

/** The stored form of an operation that waits for a wallet's signature. */
export type SignatureRequest = Readonly<{
  id: Id<'request'>
  operation: string
  /** The bare id of the resource that the operation is about. */
  resourceId: string
  accountId: Id<'internalAccount'>
  /** The credential whose deletion voids it. */
  credentialId: Id<'authMethod'> | null
  /** Sealed. */
  body: Buffer
  payloadToSign: string
  context: Readonly<Record<string, unknown>>
  failedRetries: number
  state: SignatureRequestState
  stampDigest: Buffer | null
  /** Sealed. */
  reply: Buffer | null
  createdAt: Date
  expiresAt: Date
}>

const COLUMNS = sql`r.id, r.operation, r.resource_id, r.account_id, r.credential_id, r.body, r.payload_to_sign,
  r.context, r.failed_retries, r.state, r.stamp_digest, r.reply, r.created_at, r.expires_at`

/** Callers hold the wallet's lock, which covers its signature requests. */
export function findSignatureRequest(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'request'>,
): Promise<SignatureRequest | undefined> {
  return tx.find<SignatureRequest>(
    sql`select ${COLUMNS} from wallet_requests r where r.platform_id = ${platformId} and r.id = ${id}`,
  )
}

/** Reads signature requests of any platforms; missing ones are left out. */
export async function listSignatureRequests(
  tx: Tx,
  keys: readonly Readonly<{ platformId: PlatformId; id: Id<'request'> }>[],
): Promise<SignatureRequest[]> {
  if (keys.length === 0) return []
  return tx.many<SignatureRequest>(
    sql`select ${COLUMNS} from wallet_requests r
        join ${given('k', RESOURCE_KEY, keys)} using (platform_id, id)`,
  )
}

export function listPendingSignatureRequests(
  tx: Tx,
  platformId: PlatformId,
  {
    operation,
    resourceId,
    now,
  }: Pick<SignatureRequest, 'operation' | 'resourceId'> & { now: Date },
): Promise<SignatureRequest[]> {
  return tx.many<SignatureRequest>(
    sql`select ${COLUMNS} from wallet_requests r
        where r.platform_id = ${platformId} and r.resource_id = ${resourceId} and r.operation = ${operation}
          and r.state = 'PENDING' and r.expires_at > ${now}`,
  )
}

export type NewSignatureRequest = Omit<
  SignatureRequest,
  'failedRetries' | 'state' | 'stampDigest' | 'reply'
>

export function insertSignatureRequest(
  tx: Tx,
  platformId: PlatformId,
  request: NewSignatureRequest,
): void {
  tx.queueWrite(
    sql`insert into wallet_requests (platform_id, id, operation, resource_id, account_id, credential_id, body,
          payload_to_sign, context, state, created_at, expires_at)
        values (${platformId}, ${request.id}, ${request.operation}, ${request.resourceId}, ${request.accountId},
          ${request.credentialId}, ${request.body}, ${request.payloadToSign}, ${sql.json(request.context)}::jsonb,
          ${signatureRequest.initial}, ${request.createdAt}, ${request.expiresAt})`,
  )
}

export function countFailedRetry(tx: Tx, platformId: PlatformId, id: Id<'request'>): void {
  tx.queueWrite(
    sql`update wallet_requests set failed_retries = failed_retries + 1
        where platform_id = ${platformId} and id = ${id}`,
  )
}

export type SignatureRequestChange = Pick<
  SignatureRequest,
  'id' | 'state' | 'stampDigest' | 'reply'
>

export function saveSignatureRequest(
  tx: Tx,
  platformId: PlatformId,
  change: SignatureRequestChange,
): void {
  tx.queueWrite(
    sql`update wallet_requests set state = ${change.state}, stamp_digest = ${change.stampDigest},
          reply = ${change.reply}
        where platform_id = ${platformId} and id = ${change.id}`,
  )
}

const PRUNED_AT_ONCE = 1_000

/** Deletes expired signature requests and used tokens, a bounded number at a time; returns whether more may be left. */
export async function pruneExpired(tx: Tx, platformId: PlatformId, now: Date): Promise<boolean> {
  const removed = await tx.run(
    sql`delete from wallet_requests where platform_id = ${platformId} and id in (
          select id from wallet_requests where platform_id = ${platformId} and expires_at <= ${now}
            and state <> 'PROCESSING' order by expires_at limit ${PRUNED_AT_ONCE})`,
  )
  await tx.run(
    sql`delete from wallet_used_tokens where platform_id = ${platformId} and expires_at <= ${now}`,
  )
  return removed === PRUNED_AT_ONCE
}
