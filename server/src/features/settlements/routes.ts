import { Type } from '../../infra/http/schema/type.ts'
import { ApiError, fail, retryAfter } from '../../kernel/errors.ts'
import { mustParseId, type Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'
import { procedure, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { object, pathId } from '../../infra/http/schema/wire-schema.ts'
import { audit } from '../../infra/work/audit.ts'
import type { Work } from '../../infra/work/work.ts'
import {
  beginCancel,
  cancelOrder,
  cancelQueued,
  kindsByType,
  lockOpenOrder,
  type Order,
} from '../../orders/index.ts'
import { cancelTransaction, lockCancellable } from '../payments/index.ts'
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
        const begun = await beginCancelling(work, id)
        audit(work, { action: 'cancelTransaction', resource: params.transactionId })
        if ('cancelled' in begun) keep(work, answerOf(platform, begun.cancelled))
        return begun
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

type Begun = Readonly<{ cancelled: Transaction }> | Readonly<{ order: Order; actor: Work['actor'] }>

/** A leg that a provider outside has started is cancelled by asking it; every other one here (PROV-50). */
async function beginCancelling(work: Work, id: Id<'transaction'>): Promise<Begun> {
  const { tx, platform, actor } = work
  await lockCancellable(work, id)
  const order = await lockOpenOrder(tx, { platformId: platform.id, transactionId: id })
  if (order && order.state !== 'QUEUED') {
    beginCancel(work, order)
    return { order: { ...order, cancelAskedAt: work.now }, actor }
  }
  const cancelled = await cancelTransaction(work, id)
  if (order) cancelQueued(work, order)
  return { cancelled }
}
