import { parseId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work.ts'
import type { Journal } from '../../../ledger/posting.ts'
import { creditDeposit, receiveForPayout } from '../../../ledger/recipes/deposits.ts'
import { deliverOutside } from '../../../ledger/recipes/payments.ts'
import { refund } from '../../../ledger/recipes/refunds.ts'
import {
  isClosed,
  listSideAccounts,
  networkOf,
  type SideAccount,
} from '../../external-accounts/index.ts'
import { lockAccountsForShare } from '../../internal-accounts/index.ts'
import {
  isOfframpSuccessful,
  moveIncoming,
  moveRefund,
  payoutRailOf,
  startRefund,
  tracedDestination,
  UMA_RAIL,
  type IncomingFailureReason,
  type IncomingTransaction,
} from '../../transactions/index.ts'

/** What became of an incoming payment, and what is to be posted for it. */
export type Credited = Readonly<{
  transaction: IncomingTransaction
  journals: readonly Journal[]
}>

type Failure = Readonly<{ event: 'reject' } | { event: 'fail'; reason: IncomingFailureReason }>

/** Not taken: nothing was posted, and the sender's side keeps or gives back the money. */
export function rejectArrived(
  work: Work,
  transaction: IncomingTransaction,
  failure: Failure,
): Credited {
  const changes = failure.event === 'fail' ? { failureReason: failure.reason } : {}
  return { transaction: moveIncoming(work, transaction, failure.event, changes), journals: [] }
}

/**
 * Credits an approved payment to the account it is for: an internal one (L1), or the default deposit account outside
 * (L13). `byHand` is how a payout went that the operator makes.
 */
export async function creditPayment(
  work: Work,
  transaction: IncomingTransaction,
  { byHand }: { byHand?: boolean } = {},
): Promise<Credited> {
  const { tx, platform, now } = work
  const { destination, received: money, id: reference } = transaction
  invariant('accountId' in destination, 'A payment is credited to an account.')
  const internal = parseId('internalAccount', destination.accountId)
  if (!internal)
    return payOut(work, transaction, await outsideOf(work, destination.accountId), byHand)
  const [account] = await lockAccountsForShare(tx, [{ platformId: platform.id, id: internal }])
  if (account?.status !== 'ACTIVE') {
    const reason = 'QUOTE_EXECUTION_FAILED'
    return rejectArrived(work, transaction, { event: 'fail', reason })
  }
  return {
    transaction: moveIncoming(work, transaction, 'approve', { settledAt: now }),
    journals: [creditDeposit({ reference, rail: UMA_RAIL, money, accountId: internal })],
  }
}

async function outsideOf({ tx, platform }: Work, accountId: string): Promise<SideAccount> {
  const id = parseId('externalAccount', accountId)
  const [account] = id ? await listSideAccounts(tx, [{ platformId: platform.id, id }]) : []
  invariant(account, 'An external account stays for its history.')
  return account
}

/** L13, then L5 or L8. In production the operator pays it out: what came in waits until then. */
function payOut(
  work: Work,
  transaction: IncomingTransaction,
  account: SideAccount,
  byHand: boolean | undefined,
): Credited {
  const { id: transactionId, received: money } = transaction
  const arrived = receiveForPayout({ transactionId, rail: UMA_RAIL, money })
  const isUsable = account.status === 'ACTIVE' && !isClosed(account)
  const isByHand = work.platform.environment === 'PRODUCTION'
  if (isUsable && isByHand && byHand === undefined) {
    return { transaction: moveIncoming(work, transaction, 'process'), journals: [arrived] }
  }
  const before = byHand === undefined ? [arrived] : []
  const isPaid = byHand ?? (isUsable && isOfframpSuccessful(account.paymentSuffix ?? undefined))
  return isPaid
    ? {
        transaction: complete(work, transaction, account),
        journals: [...before, delivered(transaction, account)],
      }
    : { transaction: refundSender(work, transaction), journals: [...before, returned(transaction)] }
}

function complete(
  work: Work,
  transaction: IncomingTransaction,
  account: SideAccount,
): IncomingTransaction {
  const event = transaction.status === 'PROCESSING' ? 'complete' : 'approve'
  const destination = tracedDestination(work.platform, transaction, networkOf(account))
  return moveIncoming(work, transaction, event, { settledAt: work.now, destination })
}

/** The sender has its money back with the failure itself: the refund ends where it began. */
function refundSender(work: Work, transaction: IncomingTransaction): IncomingTransaction {
  const failed = moveIncoming(work, transaction, 'fail', { failureReason: 'OFFRAMP_FAILED' })
  return moveRefund(work, startRefund(work, failed, 'TRANSACTION_FAILED'), 'complete')
}

const delivered = (
  { id: transactionId, received: money }: IncomingTransaction,
  account: SideAccount,
): Journal =>
  deliverOutside({
    transactionId,
    sending: money,
    receiving: money,
    serviceFees: 0n,
    platformFees: 0n,
    rail: payoutRailOf({ kind: 'external', account }, { paymentRail: null }),
  })

const returned = ({ id: transactionId, received: money }: IncomingTransaction): Journal =>
  refund({ transactionId, money, target: { kind: 'outside', rail: UMA_RAIL } })
