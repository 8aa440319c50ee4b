import { Type, type Static } from 'typebox'
import { mustParseId } from '../../kernel/ids.ts'
import { write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { object, pathId, timestamp } from '../../infra/http/wire-schema.ts'
import { cancelTransaction } from './cancel-transaction.ts'
import { confirmReceipt } from './confirm-receipt.ts'
import { TransactionSchema } from './schema.ts'
import { toWire } from './wire.ts'

const tag = 'Transactions'
const REASON_LENGTH_MAX = 1000

const params = Type.Object({ transactionId: pathId('The transaction.') })
const idIn = ({ transactionId }: Static<typeof params>) => mustParseId('transaction', transactionId)
const reason = () => Type.Optional(Type.String({ maxLength: REASON_LENGTH_MAX }))

export const actionRoutes: readonly Operation[] = [
  write({
    id: 'confirmReceiptDelivery',
    method: 'POST',
    path: '/transactions/{transactionId}/confirm',
    tag,
    needs: 'TRANSACT',
    summary: 'Confirm that a receipt was delivered',
    params,
    body: object('ConfirmReceiptDeliveryRequest', {
      receiptDeliveryConfirmedAt: Type.Optional(timestamp('When; without, now.')),
    }),
    bodyOptional: true,
    replies: { 200: TransactionSchema },
    errors: ['TRANSACTION_NOT_FOUND'],
    handler: async ({ work, params, body }) => {
      const { receiptDeliveryConfirmedAt } = body
      const transaction = await confirmReceipt(work, idIn(params), receiptDeliveryConfirmedAt)
      return reply(200, toWire(work.platform.id, transaction))
    },
  }),
  write({
    id: 'cancelTransaction',
    method: 'POST',
    path: '/transactions/{transactionId}/cancel',
    tag,
    needs: 'TRANSACT',
    summary: 'Cancel a payment that its bank rail has not settled',
    params,
    body: object('CancelTransactionRequest', { reason: reason() }),
    bodyOptional: true,
    replies: { 200: TransactionSchema },
    errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_CANCELLABLE'],
    handler: async ({ work, params }) => {
      const transaction = await cancelTransaction(work, idIn(params))
      return reply(200, toWire(work.platform.id, transaction))
    },
  }),
]
