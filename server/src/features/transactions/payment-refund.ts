import { formatId, newId } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Money } from '../../kernel/money.ts'
import { isCrypto } from '../../kernel/currency.ts'
import { failRefund, refund, retryRefund, type RefundTarget } from '../../ledger/recipes/refunds.ts'
import { volumeDayOf } from '../rates/index.ts'
import { moveRefund, startRefund, tellIncoming } from './move-transaction.ts'
import { repaying, withJournals, type Run, type Scene } from './payment-run.ts'
import { ownerOfSide } from './payment-sides.ts'
import { balanceAfter, pullRailOf, transitKeyOf, type Payment } from './payment.ts'
import { refundTargetOf, type FundedBy } from './rules.ts'
import type { RefundPlan } from './sandbox-outcomes.ts'
import {
  newTransaction,
  type IncomingTransaction,
  type OutgoingTransaction,
} from './transaction.ts'

/** LIM-4: what is given back on the day it was debited no longer counts in that day's volume. */
export function uncounted(transaction: OutgoingTransaction, now: Date): OutgoingTransaction {
  return transaction.countedOn === volumeDayOf(now)
    ? { ...transaction, countedOn: null }
    : transaction
}

function fundedBy({ paying, transaction, refundAccountId }: Payment): FundedBy {
  if (paying.kind === 'internal') return { kind: 'internalAccount', accountId: paying.account.id }
  if (paying.kind === 'external') return { kind: 'pull', rail: pullRailOf(paying) }
  if (isCrypto(paying.currency)) {
    invariant(refundAccountId, 'There is an account that coins go back to.')
    return { kind: 'realtimeCrypto', ownerAccountId: refundAccountId }
  }
  const { source } = transaction
  const rail = source.sourceType === 'REALTIME_FUNDING' ? source.paymentRail : undefined
  invariant(rail, 'Fiat that has arrived came over a rail.')
  return { kind: 'realtimeFiat', rail }
}

/** What is under way is given back: the exact amount that was taken, fees included (FEE-6, TXN-6). */
export function giveBack(scene: Scene, run: Run, plan: RefundPlan): Run {
  const transaction = startRefund(scene.teller, run.transaction, plan.reason)
  const target = refundTargetOf(fundedBy(scene.payment))
  // What goes out over a rail is the operator's to send, and done when the operator says so.
  const isByHand = target.kind === 'outside' && scene.teller.platform.environment === 'PRODUCTION'
  const started = { ...run, transaction }
  return isByHand ? started : endRefund(scene, started, plan.ends)
}

export function endRefund(scene: Scene, run: Run, ends: RefundPlan['ends']): Run {
  const { teller, payment, book } = scene
  const { transaction } = run
  const { id: transactionId, sent } = transaction
  const amount = balanceAfter(book, run.journals, transitKeyOf(payment))
  const money = { amount, currency: sent.currency }
  if (ends === 'FAILED') {
    const failed = withJournals(run, failRefund({ transactionId, money }))
    return { ...failed, transaction: moveRefund(teller, transaction, 'fail') }
  }
  const target = refundTargetOf(fundedBy(payment))
  const journal = refund({ transactionId, money, target })
  const returned = { ...run, transaction: moveRefund(teller, transaction, 'complete') }
  return landed(scene, withJournals(returned, journal), { target, credit: journal, money })
}

/** The operator's second try: what lies in suspense goes back to where it belongs (L8f undone, L8). */
export function retryEndedRefund(scene: Scene, run: Run, money: Money): Run {
  const { teller, payment } = scene
  const { transaction } = run
  const { id: transactionId } = transaction
  const target = refundTargetOf(fundedBy(payment))
  const moved = { ...run, transaction: moveRefund(teller, transaction, 'retry') }
  const [taken, returned] = retryRefund({ transactionId, money, target })
  return landed(scene, withJournals(moved, taken, returned), { target, credit: returned, money })
}

type AccountTarget = Extract<RefundTarget, { kind: 'account' }>

type Landing = Readonly<{
  target: RefundTarget
  credit: ReturnType<typeof refund>
  money: Money
}>

function landed(scene: Scene, run: Run, { target, credit, money }: Landing): Run {
  const { paying } = scene.payment
  const owner = ownerOfSide(paying)
  const back = { ...run, transaction: uncounted(run.transaction, scene.teller.now) }
  if (target.kind !== 'account') return back
  const seen = paying.kind === 'realtime' ? withDeposit(scene, back, { target, money }) : back
  return owner ? seen : repaying(scene, seen, { credit, accountId: target.accountId, money })
}

/** Just-in-time coins come back to an account that never sent them: to its owner they are a deposit (TXN-4). */
function withDeposit(
  { teller, payment: { paying } }: Scene,
  run: Run,
  { target, money }: Readonly<{ target: AccountTarget; money: Money }>,
): Run {
  const owner = ownerOfSide(paying)
  const { source, quoteId } = run.transaction
  const deposit = newTransaction<IncomingTransaction>({
    id: newId('transaction'),
    type: 'INCOMING',
    status: 'COMPLETED',
    customerId: owner?.id ?? null,
    platformCustomerId: owner?.platformCustomerId ?? null,
    source,
    destination: {
      destinationType: 'ACCOUNT',
      accountId: formatId('internalAccount', target.accountId),
      currency: money.currency,
    },
    sent: money,
    received: money,
    quoteId,
    settledAt: teller.now,
    createdAt: teller.now,
  })
  tellIncoming(teller, deposit)
  return { ...run, received: [...run.received, deposit] }
}
