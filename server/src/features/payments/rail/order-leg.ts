import { invariant } from '../../../kernel/invariant.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { isRemote, type PortQuery } from '../../../kernel/ports.ts'
import { networkOf } from '../../external-accounts/index.ts'
import { placeOrder, type MoneyOrderType } from '../../../orders/index.ts'
import type { EventContext, Transaction } from '../../transactions/index.ts'
import { balanceAfter, payoutLegOf, pullLegOf, transitKeyOf, type Payment } from '../payment.ts'
import type { PaymentContext, PaymentState } from '../money/state.ts'

type Leg = Readonly<{
  type: MoneyOrderType
  query: PortQuery
  money: Money
  network?: string | undefined
}>

/** Places an order for a leg, where its provider is one outside (PROV-5, PROV-42). */
export function orderMoney(
  context: EventContext,
  { id, pendingReason, settlementTimelineSeconds, expectedSettlementAt }: Transaction,
  { type, query, money, network }: Leg,
): void {
  const provider = context.ports.providerOf(query)
  if (!provider || !isRemote(provider)) return
  placeOrder(context, {
    type,
    provider,
    transactionId: id,
    money,
    expectedAt: expectedSettlementAt,
    isHeld: pendingReason !== null,
    isInstant: network !== undefined || settlementTimelineSeconds === 0,
    request: { ...(network === undefined ? { rail: query.rail } : { network }) },
  })
}

/** Orders the next leg of a payment out. */
export function orderLeg(
  { eventContext, payment }: PaymentContext,
  { transaction }: PaymentState,
  type: 'PULL' | 'PAYOUT',
): void {
  const leg = type === 'PULL' ? pullLegOf(payment) : payoutLegOf(payment)
  const money = type === 'PULL' ? transaction.sent : transaction.received
  invariant(leg && money, 'A leg that is ordered has an account outside, and is priced.')
  const { receiving } = payment
  const isPaidOut = type === 'PAYOUT' && receiving.kind === 'external'
  const network = isPaidOut ? networkOf(receiving.account) : undefined
  orderMoney(eventContext, transaction, { type, query: leg.query, money, network })
}

/** A refund of pulled or pushed money goes over the rail by which it came. */
export function refundQuery({ paying, transaction }: Payment, rail: string): PortQuery {
  const { currency } = transaction.sent
  const accountType = paying.kind === 'external' ? paying.account.accountType : undefined
  const { source } = transaction
  const preferred = source.sourceType === 'REALTIME_FUNDING' ? source.reportedBy : undefined
  return { port: 'rails', rail, currency, accountType, preferred }
}

export function orderRefund(context: PaymentContext, state: PaymentState, rail: string): void {
  const { eventContext, payment, book } = context
  const { currency } = state.transaction.sent
  const amount = balanceAfter(book, state.journals, transitKeyOf(payment))
  const query = refundQuery(payment, rail)
  orderMoney(eventContext, state.transaction, {
    type: 'REFUND',
    query,
    money: { amount, currency },
  })
}
