import { failOutOfRange } from '../../../kernel/money/amount-range.ts'
import { fail } from '../../../kernel/errors.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import type { Card } from '../record/card.ts'
import { isOpen, refundedOf, settledOf, type CardTransaction } from './card-transaction.ts'

/** The message does not fit the transaction's status (CTXN-4). */
function failStatus({ status }: CardTransaction, message: string): never {
  return fail('INVALID_INPUT', { errors: [{ field: 'cardTransactionId', message }], status })
}

/** A purchase whose authorization is over can still be cleared (CTXN-18). Fails: INVALID_INPUT, AMOUNT_OUT_OF_RANGE. */
export function mustBeClearable(transaction: CardTransaction, amount: bigint): void {
  const { direction, status, authorized, currency } = transaction
  const isLate = direction === 'DEBIT' && status !== 'DECLINED' && amount > 0n
  if (!isOpen(transaction) && !isLate) failStatus(transaction, 'cannot be cleared')
  const settled = settledOf(transaction)
  const total = direction === 'CREDIT' ? authorized : AMOUNT_MAX
  if (settled + amount > total) failOutOfRange({ maximum: total - settled, currency })
}

/** Fails: INVALID_INPUT, AMOUNT_OUT_OF_RANGE. */
export function mustBeAdvisable(transaction: CardTransaction, amount: bigint): void {
  if (!isOpen(transaction)) failStatus(transaction, 'is not an open authorization')
  const minimum = settledOf(transaction)
  if (amount < minimum) failOutOfRange({ minimum, currency: transaction.currency })
}

/** Fails: INVALID_INPUT, AMOUNT_OUT_OF_RANGE. */
export function mustBeReturnable(transaction: CardTransaction, amount: bigint): void {
  const left = settledOf(transaction) - refundedOf(transaction)
  if (left <= 0n || transaction.direction !== 'DEBIT') {
    failStatus(transaction, 'has nothing to give back')
  }
  if (amount > left) failOutOfRange({ maximum: left, currency: transaction.currency })
}

/** Fails: INVALID_INPUT. */
export function mustBeReversible(transaction: CardTransaction): void {
  if (transaction.status !== 'REFUNDED') failStatus(transaction, 'is not refunded')
}

/** A card that was never provisioned cannot have been presented (CTXN-19). Fails: INVALID_INPUT. */
export function mustBeActivated({ provisioned, state }: Card): void {
  if (provisioned) return
  const errors = [{ field: 'cardId', message: 'has never been active' }]
  fail('INVALID_INPUT', { errors, state })
}
