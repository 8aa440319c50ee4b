import { Type } from '../../infra/http/schema/type.ts'
import { ApiError, fail, retryAfter } from '../../kernel/errors.ts'
import { mustParseId } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'
import { procedure, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { object, pathId } from '../../infra/http/schema/wire-schema.ts'
import { audit } from '../../infra/work/audit.ts'
import { cancelOrder, kindsByType } from '../../orders/index.ts'
import { cancelTransaction } from '../payments/index.ts'
import {
  lockTransaction,
  TransactionSchema,
  transactionToWire,
  type Transaction,
} from '../transactions/index.ts'
import { moneyOrders } from './orders/money-orders.ts'

const REASON_LENGTH_MAX = 1000
const RETRY_AFTER_SECONDS = 10

const kinds = kindsByType([moneyOrders])

export const routes: readonly Operation[] = [
  procedure({
    id: 'cancelTransaction',
    method: 'POST',
    path: '/transactions/{transactionId}/cancel',
    tag: 'Transactions',
    needs: 'TRANSACT',
    summary: 'Cancel a payment that its bank rail has not settled',
    description:
      'Money that was taken goes back to its source. Too late once the rail has settled it.',
    params: Type.Object({ transactionId: pathId('Id of the transaction, `Transaction:<uuid>`.') }),
    body: object('CancelTransactionRequest', {
      reason: Type.Optional(Type.String({ maxLength: REASON_LENGTH_MAX })),
    }),
    bodyOptional: true,
    replies: { 200: TransactionSchema },
    errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_CANCELLABLE'],
    handler: async ({ deps, platform, params, inWork, keep }) => {
      const id = mustParseId('transaction', params.transactionId)
      const begun = await inWork(async (work) => {
        const begun = await cancelTransaction(work, id)
        audit(work, { action: 'cancelTransaction', resource: params.transactionId })
        if ('cancelled' in begun) keep(work, answerOf(platform, begun.cancelled))
        return { ...begun, actor: work.actor }
      })
      if ('cancelled' in begun) return answerOf(platform, begun.cancelled)
      const ended = await cancelOrder({ deps, kinds }, begun.order, begun.actor)
      if (!ended) {
        throw new ApiError('SERVICE_UNAVAILABLE', { headers: retryAfter(RETRY_AFTER_SECONDS) })
      }
      return inWork(async (work) => {
        const transaction = await lockTransaction(work.tx, work.platform.id, id)
        if (!transaction || ended.state !== 'FAILED') {
          return fail('TRANSACTION_NOT_CANCELLABLE', { status: transaction?.status })
        }
        return answerOf(platform, transaction)
      })
    },
  }),
]

const answerOf = ({ id }: Pick<Platform, 'id'>, transaction: Transaction) =>
  reply(200, transactionToWire(id, transaction))
