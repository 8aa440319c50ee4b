import { Type } from '../../../infra/http/schema/type.ts'
import {
  idField,
  MoneySchema,
  object,
  oneOf,
  timestamp,
} from '../../../infra/http/schema/wire-schema.ts'

/** What a card transaction may be listed by; a declined one only when asked for (CTXN-2). */
export const CARD_TRANSACTION_STATUSES = [
  'AUTHORIZED',
  'PARTIALLY_SETTLED',
  'SETTLED',
  'REFUNDED',
  'EXCEPTION',
  'DECLINED',
] as const

const smallestUnits = () => Type.Integer({ format: 'int64' })

const summary = (name: string) =>
  object(name, { count: Type.Integer(), totalAmount: smallestUnits() })

export const CardTransactionSchema = object('CardTransaction', {
  type: oneOf(['CARD']),
  id: idField('cardTransaction'),
  cardId: Type.Optional(idField('card')),
  customerId: Type.String(),
  platformCustomerId: Type.String(),
  issuerTransactionToken: Type.Optional(Type.String()),
  status: oneOf(CARD_TRANSACTION_STATUSES),
  declineReason: Type.Optional(Type.String()),
  direction: oneOf(['CREDIT', 'DEBIT']),
  merchant: object('CardMerchant', {
    descriptor: Type.String(),
    mcc: Type.Optional(Type.String()),
    country: Type.Optional(Type.String()),
  }),
  authorizedAmount: MoneySchema,
  settledAmount: Type.Optional(MoneySchema),
  refundedAmount: Type.Optional(MoneySchema),
  accountId: idField('internalAccount'),
  pullSummary: Type.Optional(
    object('CardPullSummary', {
      count: Type.Integer(),
      totalAmount: smallestUnits(),
      pendingCount: Type.Optional(Type.Integer()),
    }),
  ),
  refundSummary: Type.Optional(summary('CardRefundSummary')),
  settlementSummary: Type.Optional(summary('CardSettlementSummary')),
  authorizedAt: timestamp(),
  lastEventAt: Type.Optional(timestamp()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
