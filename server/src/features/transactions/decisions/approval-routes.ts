import { Type, type Static } from '../../../infra/http/schema/type.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { write, type Operation } from '../../../infra/http/operation.ts'
import { reply } from '../../../infra/http/reply.ts'
import { object, pathId } from '../../../infra/http/schema/wire-schema.ts'
import { decidePayment, type PaymentDecider } from './decide-payment.ts'
import { TransactionSchema } from '../wire/schema.ts'
import { toWire } from '../wire/wire.ts'

const tag = 'Transactions'
const REASON_LENGTH_MAX = 1000

const params = Type.Object({
  transactionId: pathId('Id of the transaction, `Transaction:<uuid>`.'),
})
const idIn = ({ transactionId }: Static<typeof params>) => mustParseId('transaction', transactionId)

/** The platform's decision on payments that wait for it; `deciders` are the features that let payments wait. */
export const approvalRoutes = (deciders: readonly PaymentDecider[]): readonly Operation[] => [
  write({
    id: 'approvePendingPayment',
    method: 'POST',
    path: '/transactions/{transactionId}/approve',
    tag,
    needs: 'TRANSACT',
    summary: 'Approve a payment that waits for the platform',
    description:
      'Of an incoming UMA payment; the money is credited then. Supply what the sender’s provider asks to know.',
    params,
    body: object('ApprovePaymentRequest', {
      receiverCustomerInfo: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
    bodyOptional: true,
    replies: { 200: TransactionSchema },
    errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
    settlesAtOnce: true,
    handler: async ({ work, params, body: { receiverCustomerInfo = {} } }) => {
      const decision = { kind: 'approve', receiverCustomerInfo } as const
      const decided = await decidePayment(work, { deciders, id: idIn(params), decision })
      return 'ok' in decided ? decided : reply(200, toWire(work.platform.id, decided))
    },
  }),
  write({
    id: 'rejectPendingPayment',
    method: 'POST',
    path: '/transactions/{transactionId}/reject',
    tag,
    needs: 'TRANSACT',
    summary: 'Reject a payment that waits for the platform',
    description: 'Of an incoming UMA payment; the sender gets the money back.',
    params,
    body: object('RejectPaymentRequest', {
      reason: Type.Optional(Type.String({ maxLength: REASON_LENGTH_MAX })),
    }),
    bodyOptional: true,
    replies: { 200: TransactionSchema },
    errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
    handler: async ({ work, params, body: { reason } }) => {
      const decision = { kind: 'reject', reason } as const
      const decided = await decidePayment(work, { deciders, id: idIn(params), decision })
      return 'ok' in decided ? decided : reply(200, toWire(work.platform.id, decided))
    },
  }),
]
