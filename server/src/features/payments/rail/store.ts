import type { Id } from '../../../kernel/ids.ts'
import { sql, type Sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { JobDefinition } from '../../../infra/jobs/define-job.ts'
import { hasOpenOrder } from '../../../orders/store.ts'
import { handOverJob, settleTransactionJob } from './steps.ts'

/** Who settles a payment other than the operator, as conditions of statements and as questions about one payment. */

const hasJob = (payment: Sql, { name }: JobDefinition): Sql =>
  sql`exists (select from jobs j where j.platform_id = ${payment}.platform_id and j.name = ${name}
        and j.key = ${payment}.id::text and j.state = 'WAITING')`

/** A UMA payment whose receiver is not found yet, or is a customer here and settles both sides (UMA-9). */
export const isWithReceiver = (payment: Sql): Sql =>
  sql`(${hasJob(payment, handOverJob)}
       or exists (select from payment_approvals a where a.payer_platform_id = ${payment}.platform_id
         and a.payer_transaction_id = ${payment}.id))`

/** A job of the sandbox, or a provider outside. */
export const hasCarrier = (payment: Sql): Sql =>
  sql`(${hasJob(payment, settleTransactionJob)} or ${hasOpenOrder(payment)})`

type PaymentKey = Readonly<{ platformId: Id<'platform'>; id: Id<'transaction'> }>

/** Callers of these hold the payment's lock. */
export const isLeftToReceiver = (tx: Tx, key: PaymentKey): Promise<boolean> =>
  isTrueOf(tx, isWithReceiver, key)

/** In production the only such job is the refund of funds that cannot execute their quote. */
export const isLeftToJob = (tx: Tx, key: PaymentKey): Promise<boolean> =>
  isTrueOf(tx, (payment) => hasJob(payment, settleTransactionJob), key)

export const isLeftToCarrier = (tx: Tx, key: PaymentKey): Promise<boolean> =>
  isTrueOf(tx, hasCarrier, key)

async function isTrueOf(
  tx: Tx,
  condition: (payment: Sql) => Sql,
  { platformId, id }: PaymentKey,
): Promise<boolean> {
  const { is } = await tx.one<{ is: boolean }>(
    sql`select ${condition(sql`o`)} as is
        from (select ${platformId}::uuid as platform_id, ${id}::uuid as id) o`,
  )
  return is
}
