import { parseWireTime } from '../../../kernel/clock.ts'
import { fail, failFields } from '../../../kernel/errors.ts'
import { type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isReceiptTimeAllowed } from '../record/rules.ts'
import { mustLockTransaction, saveTransaction } from '../record/store.ts'
import type { Transaction } from '../record/transaction.ts'

const FIELD = 'receiptDeliveryConfirmedAt'

/**
 * Records when the platform gave its customer the receipt of a payment that was completed once (TXN-13). Repeating
 * overwrites; no event is emitted. Fails: TRANSACTION_NOT_FOUND, INVALID_INPUT.
 */
export async function confirmReceipt(
  work: Work,
  id: Id<'transaction'>,
  confirmedAtText: string | undefined,
): Promise<Transaction> {
  const { now } = work
  const transaction = await mustLockTransaction(work, id)
  if (transaction.settledAt === null) fail('INVALID_INPUT', { reason: 'NOT_COMPLETED' })
  const confirmedAt = confirmedAtText === undefined ? now : parseWireTime(confirmedAtText)
  const { createdAt } = transaction
  if (!confirmedAt || !isReceiptTimeAllowed({ confirmedAt, createdAt, now })) {
    failFields([
      { field: FIELD, message: 'must lie between the creation and five minutes from now' },
    ])
  }
  const confirmed: Transaction = { ...transaction, receiptDeliveryConfirmedAt: confirmedAt }
  saveTransaction(work, confirmed)
  return confirmed
}
