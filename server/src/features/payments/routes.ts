import { Type } from 'typebox'
import { mustParseId } from '../../kernel/ids.ts'
import { write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { object, pathId } from '../../infra/http/schema/wire-schema.ts'
import { TransactionSchema, transactionToWire } from '../transactions/index.ts'
import { cancelTransaction } from './cancel.ts'

const REASON_LENGTH_MAX = 1000

export const routes: readonly Operation[] = [
  write({
    id: 'cancelTransaction',
    method: 'POST',
    path: '/transactions/{transactionId}/cancel',
    tag: 'Transactions',
    needs: 'TRANSACT',
    summary: 'Cancel a payment that its bank rail has not settled',
    params: Type.Object({ transactionId: pathId('The transaction.') }),
    body: object('CancelTransactionRequest', {
      reason: Type.Optional(Type.String({ maxLength: REASON_LENGTH_MAX })),
    }),
    bodyOptional: true,
    replies: { 200: TransactionSchema },
    errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_CANCELLABLE'],
    handler: async ({ work, params }) => {
      const transaction = await cancelTransaction(
        work,
        mustParseId('transaction', params.transactionId),
      )
      return reply(200, transactionToWire(work.platform.id, transaction))
    },
  }),
]
