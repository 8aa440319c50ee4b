import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Money } from '../../../kernel/money.ts'
import type { Direction, Refund, Transaction } from './transaction.ts'

/** The fields that stand in the table under their own names. */
type Plain = Omit<
  Transaction,
  'sent' | 'received' | 'refund' | 'source' | 'destination' | 'type' | 'status'
>

/** A row as it is read. Amounts stand beside their currency, a refund in columns of its own. */
export type TransactionRow = Plain &
  Readonly<{
    type: 'INCOMING' | 'OUTGOING' | 'CARD'
    status: string
    /** Null on payments that were made before it was recorded. */
    direction: Direction | null
    source: Transaction['source'] | null
    destination: Transaction['destination'] | null
    sentAmount: bigint | null
    sentCurrency: string | null
    receivedAmount: bigint | null
    receivedCurrency: string | null
    refundReference: string | null
    refundStatus: Refund['status'] | null
    refundReason: Refund['reason'] | null
    refundInitiatedAt: Date | null
    refundSettledAt: Date | null
    cardId: Id<'card'> | null
    cardDetails: Readonly<Record<string, unknown>> | null
  }>

/** A card transaction as the list shows it: written by the cards, which alone know what its details mean. */
export type CardEntry = Readonly<{
  type: 'CARD'
  id: Id<'cardTransaction'>
  status: string
  customerId: Id<'customer'> | null
  platformCustomerId: string | null
  cardId: Id<'card'>
  details: Readonly<Record<string, unknown>>
  createdAt: Date
  updatedAt: Date
}>

export type ListedTransaction = Transaction | CardEntry

const moneyOf = (amount: bigint | null, currency: string | null): Money | null =>
  amount === null || currency === null ? null : { amount, currency }

function refundOf(row: TransactionRow): Refund | null {
  const { refundReference: reference, refundStatus: status, refundReason: reason } = row
  const { refundInitiatedAt: initiatedAt, refundSettledAt: settledAt } = row
  if (!reference || !status || !reason || !initiatedAt) return null
  return { reference, status, reason, initiatedAt, settledAt }
}

export function fromRow(row: TransactionRow): ListedTransaction {
  if (row.type === 'CARD') return cardFromRow(row)
  const { sentAmount, sentCurrency, receivedAmount, receivedCurrency } = row
  return {
    ...row,
    direction: row.direction ?? (row.type === 'INCOMING' ? 'CREDIT' : 'DEBIT'),
    sent: moneyOf(sentAmount, sentCurrency),
    received: moneyOf(receivedAmount, receivedCurrency),
    refund: refundOf(row),
  } as Transaction
}

function cardFromRow(row: TransactionRow): CardEntry {
  const { id, status, customerId, platformCustomerId, cardId, cardDetails, createdAt, updatedAt } =
    row
  invariant(cardId && cardDetails, 'A card transaction has a card and details.')
  return {
    type: 'CARD',
    id: id as string as Id<'cardTransaction'>,
    status,
    customerId,
    platformCustomerId,
    cardId,
    details: cardDetails,
    createdAt,
    updatedAt,
  }
}
