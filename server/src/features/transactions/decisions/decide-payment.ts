import { fail, type Refusal } from '../../../kernel/errors.ts'
import { type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustLockTransaction } from '../record/store.ts'
import type { Transaction } from '../record/transaction.ts'

export type PaymentDecision =
  | Readonly<{ kind: 'approve'; receiverCustomerInfo: Readonly<Record<string, unknown>> }>
  | Readonly<{ kind: 'reject'; reason: string | undefined }>

/**
 * Carries out the platform's decision on a locked transaction. Undefined where the payment belongs to another decider
 * or no longer waits; a refusal where the decider has just ended it.
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
 * Approves or rejects a payment that waits for the platform; the first decision counts (TXN-14).
 * Fails: TRANSACTION_NOT_FOUND, TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL.
 */
export async function decidePayment(
  work: Work,
  { deciders, id, decision }: Deciding,
): Promise<Transaction | Refusal> {
  const transaction = await mustLockTransaction(work, id)
  for (const decide of deciders) {
    const decided = await decide(work, transaction, decision)
    if (decided) return decided
  }
  const { status } = transaction
  return fail('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', { status })
}
