import { Type } from '../../infra/http/schema/type.ts'
import { failNotFound, mustParseId, parseId, type Id } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { object, pathId, timestamp } from '../../infra/http/schema/wire-schema.ts'
import { confirmReceipt } from './decisions/confirm-receipt.ts'
import { checkRange, listTransactions } from './list-transactions.ts'
import { TransactionQuerySchema } from './wire/query-schema.ts'
import { TransactionListSchema, TransactionSchema } from './wire/schema.ts'
import { findTransaction } from './record/store.ts'
import { listedToWire, toWire } from './wire/wire.ts'

const tag = 'Transactions'

/** Also finds card transactions, whose ids have their own prefix (CTXN-1). */
const mustParse = (text: string): Id<'transaction'> | Id<'cardTransaction'> =>
  parseId('transaction', text) ?? parseId('cardTransaction', text) ?? failNotFound('transaction')

export const routes: readonly Operation[] = [
  read({
    id: 'listTransactions',
    path: '/transactions',
    tag,
    needs: 'VIEW',
    summary: 'List transactions',
    description:
      'Incoming, outgoing and card transactions of the platform and its customers, newest first. All filters combine.',
    query: TransactionQuerySchema,
    replies: { 200: TransactionListSchema },
    errors: ['USER_NOT_FOUND', 'REFERENCE_NOT_FOUND'],
    check: ({ query }) => checkRange(query as Record<string, unknown>),
    handler: async ({ work, query }) => {
      const { data, ...page } = await listTransactions(work, query)
      const { id } = work.platform
      return reply(200, { ...page, data: data.map((row) => listedToWire(id, row)) })
    },
  }),
  read({
    id: 'getTransactionById',
    path: '/transactions/{transactionId}',
    tag,
    needs: 'VIEW',
    summary: 'Read a transaction',
    description:
      'Incoming, outgoing or by card: amounts, both sides, state and, where there is one, its refund.',
    params: Type.Object({
      transactionId: pathId(
        'Id of the transaction, `Transaction:<uuid>` or `CardTransaction:<uuid>`.',
      ),
    }),
    replies: { 200: TransactionSchema },
    errors: ['TRANSACTION_NOT_FOUND'],
    handler: async ({ work, params }) => {
      const { tx, platform } = work
      const { transactionId } = params
      const found = await findTransaction(tx, platform.id, mustParse(transactionId))
      const wire = found && listedToWire(platform.id, found)
      return wire?.id === transactionId ? reply(200, wire) : failNotFound('transaction')
    },
  }),
  write({
    id: 'confirmReceiptDelivery',
    method: 'POST',
    path: '/transactions/{transactionId}/confirm',
    tag,
    needs: 'TRANSACT',
    summary: 'Confirm that a receipt was delivered',
    description: 'Keeps when the customer got the receipt of a payment.',
    params: Type.Object({
      transactionId: pathId(
        'Id of the transaction, `Transaction:<uuid>` or `CardTransaction:<uuid>`.',
      ),
    }),
    body: object('ConfirmReceiptDeliveryRequest', {
      receiptDeliveryConfirmedAt: Type.Optional(timestamp()),
    }),
    bodyOptional: true,
    replies: { 200: TransactionSchema },
    errors: ['TRANSACTION_NOT_FOUND'],
    handler: async ({ work, params, body }) => {
      const { receiptDeliveryConfirmedAt } = body
      const id = mustParseId('transaction', params.transactionId)
      const transaction = await confirmReceipt(work, id, receiptDeliveryConfirmedAt)
      return reply(200, toWire(work.platform.id, transaction))
    },
  }),
]
