import type { Id } from '../../../kernel/ids.ts'
import type { Columns } from '../../../infra/db/given.ts'
import { sql } from '../../../infra/db/sql.ts'
import { identifierOf, type Transaction } from './transaction.ts'

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

/** A row as a whole. */
export const WHOLE: Columns<NewRow> = {
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
  payment_instructions: ['jsonb', ({ transaction }) => jsonOrNull(transaction.paymentInstructions)],
  counterparty_information: [
    'jsonb',
    ({ transaction }) => jsonOrNull(transaction.counterpartyInformation),
  ],
  payment_rail: ['text', ({ transaction }) => transaction.paymentRail],
  rail_selection_mode: ['text', ({ transaction }) => transaction.railSelectionMode],
  settlement_timeline_seconds: [
    'integer',
    ({ transaction }) => transaction.settlementTimelineSeconds,
  ],
  expected_settlement_at: ['timestamptz', ({ transaction }) => transaction.expectedSettlementAt],
  created_at: ['timestamptz', ({ transaction }) => transaction.createdAt],
}
