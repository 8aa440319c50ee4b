import { isCrypto } from '../../../kernel/money/currency.ts'
import { mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { commandInWork } from '../../../ledger/command-in-work.ts'
import { post } from '../../../ledger/post.ts'
import { receiveFunding } from '../../../ledger/recipes/payments.ts'
import { refund } from '../../../ledger/recipes/refunds.ts'
import { emit } from '../../../webhooks/emit.ts'
import { lockAccountsForShare } from '../../internal-accounts/index.ts'
import type { LateFunds } from '../../quotes/index.ts'
import { refundAccountOf } from '../../payments/index.ts'
import {
  deposit,
  incomingToWire,
  insertTransactions,
  newTransaction,
  reportedArrival,
  saveTransaction,
  emitIncoming,
  type IncomingTransaction,
} from '../../transactions/index.ts'
import { ownerOfSide } from '../../payment-terms/index.ts'
import type { ArrivedMoney, Deposit } from '../deposit.ts'
import { placeReturn, returnQuery } from './place-return.ts'

type ReturnedDeposit = Pick<Deposit, 'status' | 'transactionId'>

/**
 * Returns funds that came after the end of their quote, or a second time (QUOTE-19). They are a deposit of their own
 * and take the way of a refund (TXN-8): coins to their owner's account, fiat over the rail, in production by the
 * operator's hand. Undefined, without effect, where the owner of the coins cannot receive.
 */
export async function returnLateFunds(
  work: Work,
  arrived: ArrivedMoney,
  late: LateFunds,
): Promise<ReturnedDeposit | undefined> {
  return isCrypto(arrived.money.currency)
    ? creditCoins(work, arrived, late)
    : sendBack(work, arrived, late)
}

async function creditCoins(
  work: Work,
  { id, money, report }: ArrivedMoney,
  { payment: { paying, transaction } }: LateFunds,
): Promise<ReturnedDeposit | undefined> {
  const arrival = reportedArrival(report, transaction.source)
  const accountId = await refundAccountOf(work, paying)
  if (!accountId || !(await isActive(work, accountId))) return undefined
  await commandInWork(work, deposit, {
    action: 'deposits receive',
    input: {
      accountId,
      amount: money.amount,
      arrival,
      transactionId: id,
      ...(transaction.quoteId && { quoteId: transaction.quoteId }),
    },
  })
  return { status: 'TAKEN', transactionId: id }
}

/** The lock for share keeps the status until the commit. */
async function isActive({ tx, platform }: Work, id: Id<'internalAccount'>): Promise<boolean> {
  const [account] = await lockAccountsForShare(tx, [{ platformId: platform.id, id }])
  return account?.status === 'ACTIVE'
}

async function sendBack(
  work: Work,
  { id, money, report }: ArrivedMoney,
  { payment, reason }: LateFunds,
): Promise<ReturnedDeposit> {
  const { tx, platform, now } = work
  const { paying, transaction } = payment
  const { via: rail, source } = reportedArrival(report, transaction.source)
  const owner = ownerOfSide(paying)
  const failed = newTransaction<IncomingTransaction>({
    id,
    type: 'INCOMING',
    status: 'FAILED',
    failureReason: reason,
    customerId: owner?.id ?? null,
    platformCustomerId: owner?.platformCustomerId ?? null,
    source,
    destination: transaction.destination,
    sent: money,
    received: money,
    quoteId: transaction.quoteId,
    createdAt: now,
  })
  emitIncoming(work, failed)
  await post(work, [receiveFunding({ transactionId: id, rail, money })])
  const returning = withRefund(work, failed)
  insertTransactions(tx, [{ platformId: platform.id, transaction: returning }])
  const returned = { id, money, report }
  const isSentLater = work.ports.providerOf(returnQuery(returned))?.kind !== 'sandbox'
  if (isSentLater) {
    placeReturn(work, returned)
    return { status: 'RETURNING', transactionId: id }
  }
  await completeReturn(work, returning)
  return { status: 'RETURNED', transactionId: id }
}

function withRefund(work: Work, transaction: IncomingTransaction): IncomingTransaction {
  const returning: IncomingTransaction = {
    ...transaction,
    refund: {
      reference: `RF${transaction.id.replaceAll('-', '').toUpperCase()}`,
      status: 'PENDING',
      reason: 'TRANSACTION_FAILED',
      initiatedAt: work.now,
      settledAt: null,
    },
  }
  emit(work, 'INCOMING_PAYMENT.REFUND_PENDING', incomingToWire(work.platform.id, returning))
  return returning
}

/** Records that the money has left over the rail it came by (L8). */
export async function completeReturn(work: Work, transaction: IncomingTransaction): Promise<void> {
  const { platform, now } = work
  const { id, refund: started, source, received: money } = transaction
  if (!started || source.sourceType !== 'REALTIME_FUNDING') return
  const rail = source.paymentRail ?? ''
  await post(work, [refund({ transactionId: id, money, target: { kind: 'outside', rail } })])
  const settled = { ...started, status: 'COMPLETED', settledAt: now } as const
  const done = { ...transaction, refund: settled, updatedAt: now }
  saveTransaction(work, done)
  emit(work, 'INCOMING_PAYMENT.REFUND_COMPLETED', incomingToWire(platform.id, done))
}

/** The account that a deposit's transaction credits. */
export function accountOf({ destination }: IncomingTransaction): Id<'internalAccount'> {
  return mustParseId('internalAccount', 'accountId' in destination ? destination.accountId : '')
}
