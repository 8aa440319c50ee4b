import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { type Direction, type Refund, type Transaction, identifierOf } from './transaction.ts'
import type { Keyring } from '../../../crypto/seal.ts'
import { openJson, sealJson } from '../../../infra/db/sealed-json.ts'
import type { Columns } from '../../../infra/db/statement/given.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

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

export function fromRow(keyring: Keyring, row: TransactionRow): ListedTransaction {
  if (row.type === 'CARD') return cardFromRow(row)
  const { sentAmount, sentCurrency, receivedAmount, receivedCurrency } = row
  const { id, paymentInstructions, counterpartyInformation } = row
  return {
    ...row,
    paymentInstructions: openJson(keyring, 'paymentInstructions', {
      id,
      value: paymentInstructions,
    }),
    counterpartyInformation: openJson(keyring, 'counterparty', {
      id,
      value: counterpartyInformation,
    }),
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

export type NewRow = Readonly<{ platformId: Id<'platform'>; transaction: Transaction }>

const jsonOrNull = (value: object | null): string | null => value && sql.json(value)

/** Which row, and whatever of it may change in a life. */
export const CHANGED: Columns<NewRow> = {
  platform_id: ['uuid', ({ platformId }) => platformId],
  id: ['uuid', ({ transaction }) => transaction.id],
  status: ['text', ({ transaction }) => transaction.status],
  pending_reason: ['text', ({ transaction }) => transaction.pendingReason],
  source: ['jsonb', ({ transaction }) => sql.json(transaction.source)],
  destination: ['jsonb', ({ transaction }) => sql.json(transaction.destination)],
  failure_reason: ['text', ({ transaction }) => transaction.failureReason],
  refund_reference: ['text', ({ transaction }) => transaction.refund?.reference],
  refund_status: ['text', ({ transaction }) => transaction.refund?.status],
  refund_reason: ['text', ({ transaction }) => transaction.refund?.reason],
  refund_initiated_at: ['timestamptz', ({ transaction }) => transaction.refund?.initiatedAt],
  refund_settled_at: ['timestamptz', ({ transaction }) => transaction.refund?.settledAt],
  counted_on: ['date', ({ transaction }) => transaction.volumeDay],
  receipt_delivery_confirmed_at: [
    'timestamptz',
    ({ transaction }) => transaction.receiptDeliveryConfirmedAt,
  ],
  settled_at: ['timestamptz', ({ transaction }) => transaction.settledAt],
  updated_at: ['timestamptz', ({ transaction }) => transaction.updatedAt],
}

type SealableRow = NewRow &
  Readonly<{ paymentInstructions: string | null; counterpartyInformation: string | null }>

/** Both may name customers. */
export function sealedRow(keyring: Keyring, row: NewRow): SealableRow {
  const { id, paymentInstructions: instructions, counterpartyInformation: known } = row.transaction
  return {
    ...row,
    paymentInstructions:
      instructions &&
      sealJson(keyring, 'paymentInstructions', { id, value: sql.json(instructions) }),
    counterpartyInformation:
      known && sealJson(keyring, 'counterparty', { id, value: sql.json(known) }),
  }
}

/** A row as a whole. */
export const WHOLE: Columns<SealableRow> = {
  ...CHANGED,
  type: ['text', ({ transaction }) => transaction.type],
  direction: [
    'text',
    ({ transaction }) => (transaction.type === 'OUTGOING' ? transaction.direction : 'CREDIT'),
  ],
  customer_id: ['uuid', ({ transaction }) => transaction.customerId],
  platform_customer_id: ['text', ({ transaction }) => transaction.platformCustomerId],
  source_identifier: ['text', ({ transaction }) => identifierOf(transaction.source)],
  destination_identifier: ['text', ({ transaction }) => identifierOf(transaction.destination)],
  sent_amount: ['bigint', ({ transaction }) => transaction.sent?.amount],
  sent_currency: ['text', ({ transaction }) => transaction.sent?.currency],
  received_amount: ['bigint', ({ transaction }) => transaction.received?.amount],
  received_currency: ['text', ({ transaction }) => transaction.received?.currency],
  fees: ['bigint', ({ transaction }) => transaction.fees],
  platform_fees: ['bigint', ({ transaction }) => transaction.platformFees],
  exchange_rate: ['float8', ({ transaction }) => transaction.exchangeRate],
  rate_details: ['jsonb', ({ transaction }) => jsonOrNull(transaction.rateDetails)],
  quote_id: ['uuid', ({ transaction }) => transaction.quoteId],
  agent_id: ['uuid', ({ transaction }) => transaction.agentId],
  description: ['text', ({ transaction }) => transaction.description],
  payment_reference: ['text', ({ transaction }) => transaction.paymentReference],
  reconciliation_reference: ['text', ({ transaction }) => transaction.reconciliationReference],
  payment_instructions: ['jsonb', (row) => row.paymentInstructions],
  counterparty_information: ['jsonb', (row) => row.counterpartyInformation],
  payment_rail: ['text', ({ transaction }) => transaction.paymentRail],
  rail_selection_mode: ['text', ({ transaction }) => transaction.railSelectionMode],
  settlement_timeline_seconds: [
    'integer',
    ({ transaction }) => transaction.settlementTimelineSeconds,
  ],
  expected_settlement_at: ['timestamptz', ({ transaction }) => transaction.expectedSettlementAt],
  created_at: ['timestamptz', ({ transaction }) => transaction.createdAt],
}
