/** The payment that an order for money is for. */
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Order } from '../../../orders/index.ts'
import {
  lockTransaction,
  type OutgoingTransaction,
  type Transaction,
} from '../../transactions/index.ts'

export function paymentIdOf({ transactionId }: Order): Id<'transaction'> {
  invariant(transactionId, 'A money order is for a payment.')
  return transactionId
}

export async function lockPayment({ tx, platform }: Work, order: Order): Promise<Transaction> {
  const transaction = await lockTransaction(tx, platform.id, paymentIdOf(order))
  invariant(transaction, 'The payment of an order is there.')
  return transaction
}

export async function lockPaymentOut(work: Work, order: Order): Promise<OutgoingTransaction> {
  const transaction = await lockPayment(work, order)
  invariant(transaction.type === 'OUTGOING', 'What is paid out is a payment out.')
  return transaction
}
