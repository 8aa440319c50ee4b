import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import type { Transaction } from '../../transactions/index.ts'
import type { ActionBody } from '../schema.ts'
import type { Action } from './action.ts'

/** An action with its payment, both at this moment. */
export type ActionView = Readonly<{
  action: Action
  payment: Transaction
  quote?: ActionBody['quote']
  /** Shown from approval on. */
  transaction?: ActionBody['transaction']
}>

export function actionToWire(platformId: Id<'platform'>, shown: ActionView): ActionBody {
  const { action, payment, quote, transaction } = shown
  const { rejectionReason, failureReason, failureDetails } = action
  const platformCustomerId = payment.platformCustomerId ?? formatId('platform', platformId)
  return {
    id: formatId('agentAction', action.id),
    agentId: formatId('agent', action.agentId),
    customerId: formatId('customer', action.customerId),
    platformCustomerId,
    status: action.status,
    type: action.type,
    ...(quote ? { quote } : { transferDetails: transferToWire(payment) }),
    ...(transaction && action.status === 'APPROVED' && { transaction }),
    transactionId: formatId('transaction', action.transactionId),
    ...(rejectionReason !== null && { rejectionReason }),
    ...(failureReason && { failureReason }),
    ...(failureDetails && { failureDetails }),
    createdAt: toWireTime(action.createdAt),
    updatedAt: toWireTime(action.updatedAt),
  }
}

function transferToWire({ source, destination, sent }: Transaction) {
  invariant(
    sent && 'accountId' in source && 'accountId' in destination,
    'A transfer goes from an account to an account.',
  )
  return {
    amount: amountToWire(sent.amount),
    currency: sent.currency,
    sourceAccountId: source.accountId,
    destinationAccountId: destination.accountId,
  }
}
