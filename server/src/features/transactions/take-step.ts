import { newId } from '../../kernel/ids.ts'
import { unreachable } from '../../kernel/invariant.ts'
import type { Money } from '../../kernel/money.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import { availableOf } from '../../ledger/chart.ts'
import {
  debitPayer,
  deliverInside,
  deliverOutside,
  receiveFunding,
  recordPull,
  returnDelivery,
} from '../../ledger/recipes/payments.ts'
import { networkOf } from '../external-accounts/index.ts'
import type { OutgoingFailureReason } from './failure-reasons.ts'
import type { OutgoingEvent } from './machine.ts'
import { moveOutgoing, tellIncoming } from './move-transaction.ts'
import { giveBack, uncounted } from './payment-refund.ts'
import { repaying, withJournals, type Run, type Scene } from './payment-run.ts'
import { ownerOfSide } from './payment-sides.ts'
import { HAND_OVER_JOB, type HandOverJob, type PaymentStep } from './payment-steps.ts'
import {
  balanceAfter,
  payoutRailOf,
  pricedPayment,
  pullRailOf,
  transitKeyOf,
  type Payment,
} from './payment.ts'
import type { RefundPlan } from './sandbox-outcomes.ts'
import { tracedDestination } from './traced-destination.ts'
import {
  newTransaction,
  type IncomingTransaction,
  type TransactionDestination,
} from './transaction.ts'

/** L2: the money leaves an internal account. */
export function takeFromAccount({ payment }: Scene, run: Run): Run {
  const { paying, transaction } = payment
  if (paying.kind !== 'internal') return run
  const { id: transactionId, sent: money } = transaction
  return withJournals(run, debitPayer({ transactionId, accountId: paying.account.id, money }))
}

/** L3: just-in-time funds have arrived, of whatever amount. */
export function takeFunds(run: Run, { via, money }: { via: string; money: Money }): Run {
  return withJournals(run, receiveFunding({ transactionId: run.transaction.id, rail: via, money }))
}

/** One step of a payment whose lock the caller holds. Fails with the machine's refusal. */
export function takeStep(scene: Scene, run: Run, step: PaymentStep): Run {
  switch (step.event) {
    case 'process':
      return { ...run, transaction: moveOutgoing(scene.teller, run.transaction, 'process') }
    case 'pull':
      return pull(scene, run)
    case 'handOver':
      handOver(scene, run)
      return run
    case 'complete':
      return complete(scene, run)
    case 'return':
      return comeBack(scene, run, step)
    case 'fail':
      return failPayment(scene, run, {
        event: step.event,
        reason: step.reason,
        refund: 'refund' in step ? step.refund : undefined,
      })
    default:
      return unreachable(step)
  }
}

/** L4. */
function pull({ payment: { paying, transaction } }: Scene, run: Run): Run {
  if (paying.kind !== 'external') return run
  const { id: transactionId, sent: money } = transaction
  return withJournals(run, recordPull({ transactionId, rail: pullRailOf(paying), money }))
}

/** What is for a UMA address is left to whoever finds it there. */
function handOver({ teller }: Scene, { transaction: { id } }: Run): void {
  const payload: HandOverJob = { transactionId: id }
  enqueue(teller, HAND_OVER_JOB, { payload, key: id })
}

/** L5, L6: delivered. Fees are earned now (FEE-5), and another owner sees it come in (TXN-3). */
function complete(scene: Scene, run: Run): Run {
  const { teller, payment } = scene
  const { receiving, feeAccountId } = payment
  const priced = pricedPayment(payment)
  const journal =
    receiving.kind === 'internal'
      ? deliverInside({ ...priced, destinationAccountId: receiving.account.id })
      : deliverOutside({ ...priced, rail: payoutRailOf(receiving, run.transaction) })
  const transaction = moveOutgoing(teller, run.transaction, 'complete', {
    settledAt: teller.now,
    destination: settledDestination(scene, run),
  })
  let done: Run = { ...withJournals(run, journal), transaction }
  if (feeAccountId && priced.platformFees > 0n) {
    const { type, reference } = journal
    const money = { ...priced.sending, amount: priced.platformFees }
    const credit = { type: `${type}.fee`, reference }
    done = repaying(scene, done, { credit, accountId: feeAccountId, money })
  }
  if (receiving.kind !== 'internal') return done
  const { id: accountId, customerId } = receiving.account
  if (customerId === null) {
    done = repaying(scene, done, { credit: journal, accountId, money: priced.receiving })
  }
  const received = receiptOf(scene)
  if (!received) return done
  tellIncoming(teller, received)
  return { ...done, received: [...done.received, received] }
}

function settledDestination({ teller, payment }: Scene, run: Run): TransactionDestination {
  const { receiving } = payment
  const network = receiving.kind === 'external' ? networkOf(receiving.account) : undefined
  return tracedDestination(teller.platform, run.transaction, network)
}

/** TXN-3: the payment as the owner of the account sees it that it went into. */
function receiptOf({ teller, payment }: Scene): IncomingTransaction | undefined {
  const { paying, receiving, transaction } = payment
  if (receiving.kind !== 'internal' || !transaction.received) return undefined
  const { customerId, platformCustomerId } = receiving.account
  if ((ownerOfSide(paying)?.id ?? null) === customerId) return undefined
  return newTransaction<IncomingTransaction>({
    id: newId('transaction'),
    type: 'INCOMING',
    status: 'COMPLETED',
    customerId,
    platformCustomerId,
    source: transaction.source,
    destination: transaction.destination,
    sent: transaction.sent,
    received: transaction.received,
    quoteId: transaction.quoteId,
    description: transaction.description,
    settledAt: teller.now,
    createdAt: teller.now,
  })
}

export type Failure = Readonly<{
  event: Extract<OutgoingEvent, 'fail' | 'cancel'>
  reason: OutgoingFailureReason
  /** Undefined where nothing was taken yet. */
  refund: RefundPlan | undefined
}>

/** Not delivered. What was taken is given back; a pull that failed took nothing (TXN-16). */
export function failPayment(scene: Scene, run: Run, { event, reason, refund }: Failure): Run {
  const { teller, payment, book } = scene
  const taken = balanceAfter(book, run.journals, transitKeyOf(payment))
  const isTaken = taken > 0n && refund !== undefined
  const before = isTaken ? run.transaction : uncounted(run.transaction, teller.now)
  const transaction = moveOutgoing(teller, before, event, { failureReason: reason })
  const failed = { ...run, transaction }
  return isTaken ? giveBack(scene, failed, refund) : failed
}

type Return = Readonly<{ reason: OutgoingFailureReason; refund: RefundPlan }>

/** L7: the receiving bank sends a delivered payment back. */
function comeBack(scene: Scene, run: Run, { reason, refund }: Return): Run {
  const { teller, payment } = scene
  if (payment.receiving.kind !== 'external') return run
  const journal = returnDelivery({
    ...pricedPayment(payment),
    rail: payoutRailOf(payment.receiving, run.transaction),
    platformAvailable: feeBalance(scene, run),
  })
  const transaction = moveOutgoing(teller, run.transaction, 'return', { failureReason: reason })
  return giveBack(scene, { ...withJournals(run, journal), transaction }, refund)
}

function feeBalance({ payment, book }: Scene, run: Run): bigint {
  const { platformId, feeAccountId, transaction }: Payment = payment
  if (!feeAccountId) return 0n
  const { currency } = transaction.sent
  return balanceAfter(book, run.journals, {
    platformId,
    account: availableOf(feeAccountId),
    currency,
  })
}
