import {
  isBookedApart,
  isMoneyOrder,
  isOpen,
  type Order,
  type OrderState,
  type Proofs,
  type Statement,
} from './order.ts'
import { isTransactionHash } from '../providers/rails/transaction-hash.ts'
import type { ContradictionType } from './exceptions/resolutions.ts'

/** The effect of a provider's statement on an order. */
export type Judgement =
  /** The statement adds nothing new. */
  | Readonly<{ kind: 'nothing' }>
  | Readonly<{ kind: 'move'; to: OrderState }>
  /** A decision about an order that has ended: only its kind can compare it with the first decision. */
  | Readonly<{ kind: 'decidedAgain' }>
  | Readonly<{ kind: 'return'; amount: bigint; isWhole: boolean }>
  /** The statement contradicts the known state: nothing moves until an operator resolves it. */
  | Readonly<{ kind: 'contradiction'; type: ContradictionType }>

const NOTHING: Judgement = { kind: 'nothing' }
const moveTo = (to: OrderState): Judgement => ({ kind: 'move', to })
const contradiction = (type: ContradictionType): Judgement => ({ kind: 'contradiction', type })

/** The state machine of chapter 44, section 4: an order never moves back, and a report may skip states. */
export function judge(order: Order, statement: Statement): Judgement {
  const { reference } = statement
  if (reference !== undefined && order.reference !== null && reference !== order.reference) {
    return contradiction('REFERENCE_CHANGED')
  }
  switch (statement.state) {
    case 'ACCEPTED':
      return order.state === 'UNKNOWN' ? moveTo('ACCEPTED') : NOTHING
    case 'SENT':
      if (!isMoneyOrder(order)) return NOTHING
      return order.state === 'UNKNOWN' || order.state === 'ACCEPTED' ? moveTo('SENT') : NOTHING
    case 'SETTLED':
      return judgeSettled(order, statement)
    case 'DECIDED':
      if (isMoneyOrder(order)) return NOTHING
      if (isOpen(order.state)) return moveTo('DECIDED')
      // A superseded order has no effect any more.
      return order.failureReason === 'SUPERSEDED' ? NOTHING : { kind: 'decidedAgain' }
    case 'REFUSED':
    case 'FAILED':
    case 'CANCELLED':
      if (isOpen(order.state)) return moveTo('FAILED')
      return order.state === 'FAILED' ? NOTHING : contradiction('FAILED_AFTER_SETTLED')
    case 'RETURNED':
      return judgeReturned(order, statement)
  }
}

type Settled = Extract<Statement, { state: 'SETTLED' }>

function judgeSettled(order: Order, { amount, proofs }: Settled): Judgement {
  if (!order.money) return NOTHING
  if (order.state === 'FAILED') return contradiction('SETTLED_AFTER_FAILED')
  const isAsOrdered =
    BigInt(amount.amount) === order.money.amount && amount.currency === order.money.currency
  if (!isAsOrdered) return contradiction('AMOUNT_MISMATCH')
  if (!isOpen(order.state)) return NOTHING
  const { network } = order.request
  return network === undefined || isProof(proofs?.onChainTransaction, network)
    ? moveTo('SETTLED')
    : contradiction('PROOF_MISSING')
}

/** A proof is a transaction on the payout's network, with a hash by which it can be looked up (PROV-68). */
const isProof = (stated: Proofs['onChainTransaction'], network: unknown): boolean =>
  stated !== undefined &&
  stated.network === network &&
  isTransactionHash(stated.network, stated.transactionHash)

type Returned = Extract<Statement, { state: 'RETURNED' }>

function judgeReturned(order: Order, { amount }: Returned): Judgement {
  const { money, state, settledAmount, returnedAmount } = order
  if (state !== 'SETTLED' || settledAmount === null) return contradiction('RETURN_EXCEEDS')
  const sum = returnedAmount + BigInt(amount.amount)
  if (amount.currency !== money?.currency || sum > settledAmount || isBookedApart(order)) {
    return contradiction('RETURN_EXCEEDS')
  }
  return { kind: 'return', amount: BigInt(amount.amount), isWhole: sum === settledAmount }
}
