import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { amountToWire } from '../../../kernel/wire-money.ts'
import type { Transaction } from '../../transactions/index.ts'
import type { Action } from '../actions/action.ts'
import { isConnectedAt, type Agent } from './agent.ts'
import type { ActionBody, AgentBody } from '../schema.ts'
import type { IssuedCode } from '../device-code/issue-device-code.ts'
import { usageToWire } from '../policy/usage.ts'

export function agentToWire(agent: Agent, now: Date): AgentBody {
  return {
    id: formatId('agent', agent.id),
    name: agent.name,
    customerId: formatId('customer', agent.customerId),
    isPaused: agent.isPaused,
    isConnected: isConnectedAt(agent, now),
    policy: agent.policy,
    usage: usageToWire(agent.usage, now),
    createdAt: toWireTime(agent.createdAt),
    updatedAt: toWireTime(agent.updatedAt),
  }
}

export const deviceCodeToWire = ({ code, agentId, expiresAt }: IssuedCode) => ({
  code,
  agentId: formatId('agent', agentId),
  expiresAt: toWireTime(expiresAt),
  redeemed: false,
})

/** An action with what it is about, as both are now. */
export type Shown = Readonly<{
  action: Action
  payment: Transaction
  quote?: ActionBody['quote']
  /** Shown from approval on. */
  transaction?: ActionBody['transaction']
}>

export function actionToWire(platformId: Id<'platform'>, shown: Shown): ActionBody {
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
