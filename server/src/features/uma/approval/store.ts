import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Approval } from './approval.ts'

type PlatformId = Id<'platform'>
type TransactionId = Id<'transaction'>

/** Queues a new approval for the commit. */
export function insertApproval(tx: Tx, platformId: PlatformId, approval: Approval): void {
  const { transactionId, requestedFields, decideBy, payer } = approval
  tx.queueWrite(
    sql`insert into payment_approvals (platform_id, transaction_id, requested_fields, decide_by, payer_platform_id,
          payer_transaction_id)
        values (${platformId}, ${transactionId}, ${sql.json(requestedFields)}, ${decideBy},
          ${payer?.platformId ?? null}, ${payer?.transactionId ?? null})`,
  )
}

type Row = Readonly<{
  requestedFields: Approval['requestedFields']
  decideBy: Date | null
  payerPlatformId: PlatformId | null
  payerTransactionId: TransactionId | null
}>

/** The lock of the transaction protects its approval. */
export async function findApproval(
  tx: Tx,
  platformId: PlatformId,
  transactionId: TransactionId,
): Promise<Approval | undefined> {
  const row = await tx.find<Row>(
    sql`select requested_fields, decide_by, payer_platform_id, payer_transaction_id from payment_approvals
        where platform_id = ${platformId} and transaction_id = ${transactionId}`,
  )
  if (!row) return undefined
  const { requestedFields, decideBy, payerPlatformId, payerTransactionId } = row
  const payer =
    payerPlatformId && payerTransactionId
      ? { platformId: payerPlatformId, transactionId: payerTransactionId }
      : null
  return { transactionId, requestedFields, decideBy, payer }
}

export function setDecideBy(
  tx: Tx,
  platformId: PlatformId,
  { transactionId, decideBy }: Pick<Approval, 'transactionId' | 'decideBy'>,
): void {
  tx.queueWrite(
    sql`update payment_approvals set decide_by = ${decideBy}
        where platform_id = ${platformId} and transaction_id = ${transactionId}`,
  )
}

export function deleteApproval(tx: Tx, platformId: PlatformId, transactionId: TransactionId): void {
  tx.queueWrite(
    sql`delete from payment_approvals where platform_id = ${platformId} and transaction_id = ${transactionId}`,
  )
}
