import { Type } from '../../../infra/http/schema/type.ts'
import {
  environmentSchema,
  idField,
  MoneySchema,
  oneOf,
  timestamp,
} from '../../../infra/http/schema/wire-schema.ts'
import { ExternalAccountSchema } from '../../../features/external-accounts/index.ts'
import { TransactionSchema } from '../../../features/transactions/index.ts'
import { record } from '../../command.ts'

export const SettlementSchema = record({
  transactionId: idField('transaction'),
  status: Type.String(),
  failureReason: Type.Optional(Type.String()),
  refundStatus: Type.Optional(Type.String()),
})

const leg = { leg: Type.String(), outcome: Type.String(), reference: Type.String() }

export const LineSchema = record({
  transactionId: idField('transaction'),
  platformId: idField('platform'),
  type: oneOf(['INCOMING', 'OUTGOING']),
  status: Type.String(),
  waitsFor: Type.Optional(Type.String()),
  refundStatus: Type.Optional(Type.String()),
  failureReason: Type.Optional(Type.String()),
  amount: Type.Integer(),
  currency: Type.String(),
  paymentRail: Type.Optional(Type.String()),
  reference: Type.Optional(Type.String()),
  customerName: Type.Optional(Type.String()),
  settled: Type.Optional(Type.Array(record(leg))),
  createdAt: timestamp(),
})

export const ShownSchema = record({
  platformId: idField('platform'),
  environment: environmentSchema(),
  mayBeReturned: Type.Boolean(),
  customerName: Type.Optional(Type.String()),
  waitsFor: Type.Optional(Type.String()),
  network: Type.Optional(Type.String()),
  settled: Type.Optional(Type.Array(record({ ...leg, recordedAt: timestamp() }))),
  refundAmount: Type.Optional(MoneySchema),
  transaction: TransactionSchema,
  fromAccount: Type.Optional(ExternalAccountSchema),
  toAccount: Type.Optional(ExternalAccountSchema),
})
