import { Type } from '../../../infra/http/schema/type.ts'
import {
  environmentSchema,
  idField,
  MoneySchema,
  timestamp,
} from '../../../infra/http/schema/wire-schema.ts'
import { ExternalAccountSchema } from '../../../features/external-accounts/index.ts'
import { TransactionSchema } from '../../../features/transactions/index.ts'
import { record } from '../../command.ts'
import { legMembers } from '../lists/list-settlements.ts'

export const SettlementSchema = record({
  transactionId: idField('transaction'),
  status: Type.String(),
  failureReason: Type.Optional(Type.String()),
  refundStatus: Type.Optional(Type.String()),
})

export const ShownSchema = record({
  platformId: idField('platform'),
  environment: environmentSchema(),
  mayBeReturned: Type.Boolean(),
  customerName: Type.Optional(Type.String()),
  waitsFor: Type.Optional(Type.String()),
  network: Type.Optional(Type.String()),
  settled: Type.Optional(Type.Array(record({ ...legMembers, recordedAt: timestamp() }))),
  refundAmount: Type.Optional(MoneySchema),
  transaction: TransactionSchema,
  fromAccount: Type.Optional(ExternalAccountSchema),
  toAccount: Type.Optional(ExternalAccountSchema),
})
