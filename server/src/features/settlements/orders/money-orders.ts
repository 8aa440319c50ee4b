import { newUuid } from '../../../kernel/ids.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import type { OutgoingFailureReason, RefundReason } from '../../../kernel/failure-reasons.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  openException,
  type Order,
  type OrderFailure,
  type OrderKind,
  type Returned,
} from '../../../orders/index.ts'
import { insertLegReference, reverseCredit, type SettledLeg } from '../../transactions/index.ts'
import {
  collectOrWait,
  confirmLeg,
  creditPart,
  markLegFailed,
  takeReturnedRefund,
  type LegFailure,
} from '../../payments/index.ts'
import { retryFailedRefund } from '../refunds.ts'
import { moneyOrderBody } from './body.ts'
import { endUnfunded, loseFunding, settleUnfunded } from './lost-funding.ts'
import { bookPaidAnyway, returnToBearer } from './paid-anyway.ts'
import { lockPayment, lockPaymentOut, paymentIdOf } from './payment-of-order.ts'

/** The failure reason of a payment by the provider's reason (PROV-49); all others are QUOTE_EXECUTION_FAILED. */
const FAILURE_REASONS: Readonly<Record<string, OutgoingFailureReason>> = {
  ACCOUNT_INVALID: 'ACCOUNT_INVALID',
  NAME_MISMATCH: 'ACCOUNT_INVALID',
  ACCOUNT_CLOSED: 'ACCOUNT_CANNOT_RECEIVE',
  ACCOUNT_CANNOT_RECEIVE: 'ACCOUNT_CANNOT_RECEIVE',
  COMPLIANCE: 'COMPLIANCE_REJECTED',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
  LIGHTNING_FAILED: 'LIGHTNING_PAYMENT_FAILED',
  RAIL_UNAVAILABLE: 'COUNTERPARTY_POST_TX_FAILED',
}

const NOT_IN_TIME = ['DEADLINE_PASSED', 'NEVER_RECEIVED']

function refundReasonOf({ reason, isCancelled }: OrderFailure): RefundReason {
  if (isCancelled) return 'USER_CANCELLATION'
  return NOT_IN_TIME.includes(reason) ? 'TIMEOUT' : 'TRANSACTION_FAILED'
}

/** Legs that providers outside carry; their reports have the effect of the operator's settlements. */
export const moneyOrders: OrderKind = {
  types: ['PAYOUT', 'PULL', 'COLLECTION', 'REFUND'],
  port: 'rails',
  lock: async (work, order) => void (await lockPayment(work, order)),
  body: moneyOrderBody,
  async onSettled(work, order) {
    keepNames(work, order, { leg: order.type as SettledLeg })
    // What was paid to a bank or an invoice needs no hash, whatever its provider gives.
    const isToWallet = order.request['network'] !== undefined
    const hash = isToWallet ? order.proofs?.onChainTransaction?.transactionHash : undefined
    const id = paymentIdOf(order)
    const confirm = (inner: Work): Promise<unknown> =>
      confirmLeg(inner, id, hash === undefined ? {} : { hash })
    if (order.type === 'COLLECTION') return collectOrWait(work, id, confirm)
    await confirm(work)
    await settleUnfunded(work, order)
  },
  async onFailed(work, order, failure) {
    if (await endUnfunded(work, order)) return
    const reason = FAILURE_REASONS[failure.reason] ?? 'QUOTE_EXECUTION_FAILED'
    await markLegFailed(work, paymentIdOf(order), {
      reason,
      refundReason: refundReasonOf(failure),
      ...platformShareOf(order),
    })
  },
  async onReturned(work, order, { amount, isWhole }) {
    if (order.type !== 'PAYOUT') {
      await takeBack(work, order, { amount, isWhole })
      return 0n
    }
    keepNames(work, order, { leg: 'RETURN' })
    if (await returnToBearer(work, order, amount)) return 0n
    if (!isWhole) return creditPart(work, await lockPaymentOut(work, order), amount)
    const returned = {
      delivered: order.returnedAmount - amount,
      credited: order.creditedAmount,
    }
    const reason = 'PAYOUT_RETURNED'
    const failure = { reason, returned, ...platformShareOf(order) } as const
    await markLegFailed(work, paymentIdOf(order), failure)
    return 0n
  },
  async onSettledAfterAll(work, order, mustNameBearer) {
    if (order.type === 'PAYOUT') await bookPaidAnyway(work, order, mustNameBearer())
    else if (order.type === 'REFUND') await retryFailedRefund(work, paymentIdOf(order))
    // The payment has failed, so money that still came in for it is a deposit.
    else await work.react('payments.collectedLate', { orderId: order.id })
  },
}

/** The platform gets the part of a refund that it has borne for the payer. */
function platformShareOf({ lostFunding }: Order): Pick<LegFailure, 'refundsPlatform' | 'borne'> {
  if (!lostFunding?.isBorne) return {}
  const { part } = lostFunding
  return part === undefined ? { refundsPlatform: true } : { borne: BigInt(part) }
}

/** Takes back money that had come in. */
async function takeBack(work: Work, order: Order, { amount, isWhole }: Returned): Promise<void> {
  const { providerId, id: orderId, type: leg } = order
  const transaction = await lockPayment(work, order)
  const exception = { providerId, orderId, details: { leg, returned: amountToWire(amount) } }
  const lost = {
    rail: String(order.request['rail']),
    amount,
    before: order.returnedAmount - amount,
  }
  if (transaction.type === 'INCOMING') return reverseCredit(work, { transaction, ...lost })
  if (leg === 'PULL') return loseFunding(work, transaction, { ...lost, exception })
  const money = { amount, currency: transaction.sent.currency }
  const returned = { rail: lost.rail, money, total: order.returnedAmount, isWhole }
  await takeReturnedRefund(work, transaction, returned)
  // After a partial return only an operator can decide about the rest.
  if (!isWhole) openException(work, { type: 'PULL_RETURNED', ...exception })
}

/** Keeps the provider's reference, which the `reference` filter of the list finds (PROV-69). */
function keepNames({ tx, platform, now }: Work, order: Order, { leg }: { leg: SettledLeg }): void {
  const { bankReference, trace, uetr } = order.proofs ?? {}
  const names = [order.reference, bankReference, trace, uetr].filter(
    (name) => typeof name === 'string',
  )
  for (const reference of new Set(names)) {
    const key = { platformId: platform.id, transactionId: paymentIdOf(order), id: newUuid() }
    insertLegReference(tx, { ...key, leg, outcome: 'CONFIRMED', reference, recordedAt: now })
  }
}
