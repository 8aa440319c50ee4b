import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import { cardTransactionToWire, type WireCardTransaction } from './wire.ts'
import type { CardTransaction } from './card-transaction.ts'

/** Emits the event of the transaction's status, and returns its wire form. */
export function emitStatus(
  context: Pick<Work, 'platform' | 'now' | 'outbox'>,
  transaction: CardTransaction,
): WireCardTransaction {
  const { status, currency, authorized: amount } = transaction
  const wire = cardTransactionToWire(context.platform.id, transaction)
  emit(context, `CARD_TRANSACTION.${status}`, wire, {
    payment: { type: 'CARD', rail: 'CARD', status, currency, amount },
  })
  return wire
}
