import { Type } from '../../../infra/http/schema/type.ts'
import { idField, oneOf, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import {
  listFailedRefunds,
  listOpenSettlements,
  type OpenSettlement,
} from '../../../features/settlements/lists.ts'
import { defineCommand, record } from '../../command.ts'
import { WAITING_OPTIONS, waitingPage } from '../../queries/waiting-page.ts'

export const legMembers = { leg: Type.String(), outcome: Type.String(), reference: Type.String() }

const LineSchema = record({
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
  settled: Type.Optional(Type.Array(record(legMembers))),
  createdAt: timestamp(),
})

const lineOf = ({ platformId, id, type, status, amount, currency, ...more }: OpenSettlement) => ({
  transactionId: formatId('transaction', id),
  platformId: formatId('platform', platformId),
  type,
  status,
  waitsFor: more.leg ?? undefined,
  refundStatus: more.refundStatus ?? undefined,
  failureReason: more.failureReason ?? undefined,
  amount: amountToWire(amount),
  currency,
  paymentRail: more.paymentRail ?? undefined,
  reference: more.reference ?? undefined,
  customerName: more.customerName ?? undefined,
  settled: more.settled ?? undefined,
  createdAt: toWireTime(more.createdAt),
})

export const listSettlements = defineCommand({
  name: 'settlements list',
  access: { roles: ['VIEWER'] },
  about: 'Payments of production that wait for money to be moved by hand, oldest first.',
  options: WAITING_OPTIONS,
  answers: Type.Array(LineSchema),
  run: async (deps, input) =>
    (await listOpenSettlements(deps.db.read, waitingPage(deps, input, 'transaction'))).map(lineOf),
})

export const listRefunds = defineCommand({
  name: 'refunds list',
  access: { roles: ['VIEWER'] },
  about: 'Payments whose refund failed, so that the money lies in suspense, oldest first.',
  options: WAITING_OPTIONS,
  answers: Type.Array(LineSchema),
  run: async (deps, input) =>
    (await listFailedRefunds(deps.db.read, waitingPage(deps, input, 'transaction'))).map(lineOf),
})
