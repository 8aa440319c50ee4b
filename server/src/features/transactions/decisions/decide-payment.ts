import { fail, type Refusal } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockTransaction } from '../record/store.ts'
import type { Transaction } from '../record/transaction.ts'

export type PaymentDecision =
  | Readonly<{ kind: 'approve'; receiverCustomerInfo: Readonly<Record<string, unknown>> }>
  | Readonly<{ kind: 'reject'; reason: string | undefined }>

/**
 * Carries out what the platform decides on a payment that waits for it. The transaction is locked; undefined where it
 * is not one of this decider's, or does not wait any more; a refusal where it ended just now.
 */
export type PaymentDecider = (
  work: Work,
  transaction: Transaction,
  decision: PaymentDecision,
) => Promise<Transaction | Refusal | undefined>

type Deciding = Readonly<{
  deciders: readonly PaymentDecider[]
  id: Id<'transaction'>
  decision: PaymentDecision
}>

/**
 * The platform's word on a payment that waits for it (TXN-14): of several the first decides.
 * Fails: TRANSACTION_NOT_FOUND, TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL.
 */
export async function decidePayment(
  work: Work,
  { deciders, id, decision }: Deciding,
): Promise<Transaction | Refusal> {
  const { tx, platform } = work
  const transaction = (await lockTransaction(tx, platform.id, id)) ?? failNotFound('transaction')
  for (const decide of deciders) {
    const decided = await decide(work, transaction, decision)
    if (decided) return decided
  }
  const { status } = transaction
  return fail('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', { status })
}
