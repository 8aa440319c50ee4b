import { fail } from '../../kernel/errors.ts'
import { failNotFound, formatId, parseId, type Id } from '../../kernel/ids.ts'
import { dropJobs } from '../../infra/jobs/drop-jobs.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockAccountsForShare } from '../internal-accounts/index.ts'
import {
  awaitsScreening,
  isCollection,
  type PaymentState,
  type PaymentContext,
  endRefund,
  settleTransactionJob,
  type PaymentStep,
  balanceAfter,
  transitKeyOf,
  runPayment,
  runCollection,
  spendDestination,
  takeStep,
  railOrderOf,
  stepsOf,
} from '../payments/index.ts'
import type { PartlyReturned } from '../../ledger/recipes/payments.ts'
import type { OutgoingFailureReason, RefundReason } from '../../kernel/failure-reasons.ts'
import { listOrdersOf } from '../../orders/index.ts'
import {
  type LegOutcome,
  recordLeg,
  type OutsideNames,
  lockTransaction,
  type Transaction,
} from '../transactions/index.ts'
import { isGoingBack, isOnItsWay, isReceivers, legAhead } from './ahead.ts'
import { REFUNDED, type RefundPlan } from '../../providers/rails/sandbox-outcomes.ts'

async function lock(work: Work, id: Id<'transaction'>): Promise<Transaction> {
  const { tx, platform } = work
  const transaction = (await lockTransaction(tx, platform.id, id)) ?? failNotFound('transaction')
  await work.react('transactions.settling', { transactionId: id })
  if (awaitsScreening(transaction)) fail('CONFLICT', { reason: 'HELD_BY_PROVIDER' })
  if (transaction.type === 'OUTGOING' && (await isReceivers(work, transaction))) {
    fail('CONFLICT', { reason: 'AWAITS_RECEIVER' })
  }
  dropJobs(tx, settleTransactionJob, [{ platformId: platform.id, key: id }])
  return transaction
}

/** Where no leg is ahead, the callers say so. */
async function recorded(
  work: Work,
  transaction: Transaction,
  said: Readonly<{ outcome: LegOutcome; names: OutsideNames }>,
): Promise<Transaction> {
  const { type, status } = transaction
  const isReturned = type === 'OUTGOING' && status === 'COMPLETED' && said.outcome === 'FAILED'
  const leg = (await legAhead(work, transaction)) ?? (isReturned ? 'RETURN' : undefined)
  return leg === undefined ? transaction : recordLeg(work, transaction, { leg, ...said })
}

const failSettled = ({ status, refund }: Transaction): never =>
  fail('CONFLICT', { status, ...(refund && { refundStatus: refund.status }) })

const at = (event: 'process' | 'pull' | 'complete' | 'handOver'): PaymentStep => ({
  afterSeconds: 0,
  event,
})

/**
 * The operator has moved the money of a payment's next leg: the pull, the payout, the transfer-in or the refund that
 * waits. What then stays inside is delivered at once. Fails: TRANSACTION_NOT_FOUND, INVALID_INPUT on what the outside
 * calls it (TXN-19), CONFLICT where nothing waits here, an invoice was paid already, or the account that it is for is
 * closed.
 */
export async function confirmSettlement(
  work: Work,
  id: Id<'transaction'>,
  names: OutsideNames = {},
): Promise<Transaction> {
  await mustBeByHand(work, id)
  return confirmLeg(work, id, names)
}

/** As confirmSettlement, by the provider that carries the leg. */
export async function confirmLeg(
  work: Work,
  id: Id<'transaction'>,
  names: OutsideNames = {},
): Promise<Transaction> {
  const transaction = await recorded(work, await lock(work, id), { outcome: 'CONFIRMED', names })
  if (transaction.type === 'INCOMING') {
    if (transaction.status !== 'PENDING' || !isCollection(transaction)) {
      return failSettled(transaction)
    }
    await mustTakeMoney(work, transaction)
    return runCollection(work, transaction, { afterSeconds: 0, event: 'complete' })
  }
  if (transaction.refund?.status === 'PENDING') {
    return runPayment(work, transaction, (context, state) => endRefund(context, state, 'COMPLETED'))
  }
  if (!isOnItsWay(transaction)) return failSettled(transaction)
  if (await isGoingBack(work, transaction)) fail('CONFLICT', { reason: 'IS_GIVEN_BACK' })
  await mustTakeMoney(work, transaction)
  const confirmed = await runPayment(
    work,
    transaction,
    (context, state) =>
      confirmedSteps(context).reduce((before, step) => takeStep(context, before, step), state),
    { mayRefund: false },
  )
  const isPaidTwice = confirmed.status === 'COMPLETED' && !(await spendDestination(work, confirmed))
  return isPaidTwice ? fail('CONFLICT', { reason: 'INVOICE_SPENT' }) : confirmed
}

/**
 * A closed account takes what comes back, not what is new: its owner could never move it. A frozen one takes what was
 * under way. Fails: CONFLICT, so that the operator sends the money back, and says that the payment failed.
 */
async function mustTakeMoney({ tx, platform }: Work, { destination }: Transaction): Promise<void> {
  const id = 'accountId' in destination && parseId('internalAccount', destination.accountId)
  if (!id) return
  const [account] = await lockAccountsForShare(tx, [{ platformId: platform.id, id }])
  if (account?.status !== 'CLOSED') return
  fail('CONFLICT', { accountId: formatId('internalAccount', id), accountStatus: account.status })
}

function confirmedSteps({ eventContext, payment, book }: PaymentContext): PaymentStep[] {
  const { paying, receiving, transaction } = payment
  if (transaction.status === 'PENDING') return [at('process'), at('complete')]
  const taken = balanceAfter(book, [], transitKeyOf(payment))
  const isPulled = taken > 0n
  // Another amount came than was asked for: it is about to be given back, and nothing is paid out for it.
  if (isPulled && taken !== transaction.sent.amount)
    fail('CONFLICT', { reason: 'FUNDING_AMOUNT_MISMATCH' })
  if (paying.kind !== 'external' || isPulled) return [at('complete')]
  if (receiving.kind === 'uma') return [at('pull'), at('handOver')]
  if (receiving.kind === 'internal') return [at('pull'), at('complete')]
  const order = { ...railOrderOf(payment, 'quote'), pull: undefined }
  const [next] = stepsOf({ ports: eventContext.ports, order })
  return next?.event === 'order' ? [at('pull'), next] : [at('pull')]
}

/**
 * The next leg did not succeed: the payment fails and is refunded, a completed payout was returned, a refund could not
 * be made. Fails: TRANSACTION_NOT_FOUND, INVALID_INPUT, CONFLICT where nothing can fail any more.
 */
export async function markSettlementFailed(
  work: Work,
  id: Id<'transaction'>,
  failure: LegFailure,
): Promise<Transaction> {
  await mustBeByHand(work, id)
  return markLegFailed(work, id, failure)
}

export type LegFailure = Readonly<{
  reason: OutgoingFailureReason
  names?: OutsideNames
  /** Why the money goes back, where that is not the failure itself. */
  refundReason?: RefundReason
  /** What earlier partial returns of a payout took back, and gave back to the payer. */
  returned?: PartlyReturned | undefined
  /** The platform has paid for the payment already, so the refund is its. */
  refundsPlatform?: boolean
  /** What the platform has paid of it, where that is a part. */
  borne?: bigint
}>

/** What a provider outside carries, it reports on; by hand an exception is resolved (PROV-12). */
async function mustBeByHand({ tx, platform }: Work, id: Id<'transaction'>): Promise<void> {
  const orders = await listOrdersOf(tx, { platformId: platform.id, transactionId: id })
  const last = orders.at(-1)
  const isHeld =
    last && last.state !== 'FAILED' && !(last.state === 'SETTLED' && last.type === 'PULL')
  if (isHeld) fail('CONFLICT', { reason: 'HELD_BY_PROVIDER' })
}

/** As markSettlementFailed, by the provider that carries the leg. */
export async function markLegFailed(
  work: Work,
  id: Id<'transaction'>,
  { reason, names = {}, refundReason, returned, ...platformShare }: LegFailure,
): Promise<Transaction> {
  const transaction = await recorded(work, await lock(work, id), { outcome: 'FAILED', names })
  if (transaction.type === 'INCOMING') {
    if (transaction.status !== 'PENDING' || !isCollection(transaction)) {
      return failSettled(transaction)
    }
    const failed = { afterSeconds: 0, event: 'fail', reason: 'COLLECTION_FAILED' } as const
    return runCollection(work, transaction, failed)
  }
  if (transaction.refund?.status === 'PENDING') {
    return runPayment(work, transaction, (context, state) => endRefund(context, state, 'FAILED'))
  }
  const refund = { ...REFUNDED, ...(refundReason && { reason: refundReason }) }
  return runPayment(
    work,
    transaction,
    (context, state) => takeFailure(context, state, { reason, refund, returned }),
    platformShare,
  )
}

function takeFailure(
  context: PaymentContext,
  state: PaymentState,
  { reason, refund, returned }: Pick<LegFailure, 'reason' | 'returned'> & { refund: RefundPlan },
): PaymentState {
  const { transaction, receiving } = context.payment
  const failure = { afterSeconds: 0, reason, refund } as const
  if (isOnItsWay(transaction)) {
    const begun = transaction.status === 'PENDING' ? takeStep(context, state, at('process')) : state
    return takeStep(context, begun, { ...failure, event: 'fail' })
  }
  if (transaction.status === 'COMPLETED' && receiving.kind === 'external') {
    const cause = { ...failure, reason: 'PAYOUT_RETURNED', event: 'return' } as const
    return takeStep(context, state, { ...cause, ...(returned && { returned }) })
  }
  return failSettled(transaction)
}
