import { parseId } from '../../../kernel/ids.ts'
import type { Provider } from '../../../kernel/ports.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import { UMA_RAIL } from '../../../ledger/chart.ts'
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
import { isOfframpSuccessful } from '../../../providers/rails/sandbox-outcomes.ts'
import {
  moveIncoming,
  moveRefund,
  startRefund,
  tracedDestination,
  type IncomingTransaction,
} from '../../transactions/index.ts'
import { payoutRailOf } from '../../payments/index.ts'
import type { IncomingFailureReason } from '../../../kernel/failure-reasons.ts'

/** An incoming payment after its decision, and the journals to post. */
export type CreditedPayment = Readonly<{
  transaction: IncomingTransaction
  journals: readonly Journal[]
}>

type Failure = Readonly<{ event: 'reject' } | { event: 'fail'; reason: IncomingFailureReason }>

/** The outcome that the operator reports of a payout that it made. */
export type ManualPayout = 'PAID' | 'FAILED'

/** Posts nothing: the sender's side keeps or refunds the money. */
export function rejectIncoming(
  work: Work,
  transaction: IncomingTransaction,
  failure: Failure,
): CreditedPayment {
  const changes = failure.event === 'fail' ? { failureReason: failure.reason } : {}
  return { transaction: moveIncoming(work, transaction, failure.event, changes), journals: [] }
}

/**
 * Credits an approved payment to an internal account (L1), or to the default deposit account outside (L13).
 * `manualPayout` is the outcome of a payout that the operator made; without it the payout begins.
 */
export async function creditPayment(
  work: Work,
  transaction: IncomingTransaction,
  manualPayout?: ManualPayout,
): Promise<CreditedPayment> {
  const { tx, platform, now } = work
  const { destination, received: money, id: reference } = transaction
  invariant('accountId' in destination, 'A payment is credited to an account.')
  const internal = parseId('internalAccount', destination.accountId)
  if (!internal) {
    const account = await findDepositAccount(work, destination.accountId)
    return payOut(work, transaction, { account, manualPayout })
  }
  const [account] = await lockAccountsForShare(tx, [{ platformId: platform.id, id: internal }])
  if (account?.status !== 'ACTIVE') {
    const reason = 'QUOTE_EXECUTION_FAILED'
    return rejectIncoming(work, transaction, { event: 'fail', reason })
  }
  return {
    transaction: moveIncoming(work, transaction, 'approve', { settledAt: now }),
    journals: [creditDeposit({ reference, rail: UMA_RAIL, money, accountId: internal })],
  }
}

async function findDepositAccount({ tx, platform }: Work, accountId: string): Promise<SideAccount> {
  const id = parseId('externalAccount', accountId)
  const [account] = id ? await listSideAccounts(tx, [{ platformId: platform.id, id }]) : []
  invariant(account, 'An external account is never deleted, for its history.')
  return account
}

/** Who pays out to the account. */
function carrierOf({ ports }: Work, account: SideAccount): Provider | undefined {
  const { currency, accountType } = account
  const rail = payoutRailOf({ kind: 'external', account }, { paymentRail: null })
  return ports.providerOf({ port: 'rails', rail, currency, accountType })
}

/** Books the transit (L13), then delivery (L5) or refund (L8). Outside the sandbox the operator pays it out. */
function payOut(
  work: Work,
  transaction: IncomingTransaction,
  { account, manualPayout }: { account: SideAccount; manualPayout: ManualPayout | undefined },
): CreditedPayment {
  const { id: transactionId, received: money } = transaction
  const arrived = receiveForPayout({ transactionId, rail: UMA_RAIL, money })
  const isUsable = account.status === 'ACTIVE' && !isClosed(account)
  const isManual = carrierOf(work, account)?.kind !== 'sandbox'
  if (isUsable && isManual && !manualPayout) {
    return { transaction: moveIncoming(work, transaction, 'process'), journals: [arrived] }
  }
  const before = manualPayout ? [] : [arrived]
  const isPaid = manualPayout
    ? manualPayout === 'PAID'
    : isUsable && isOfframpSuccessful(account.paymentSuffix ?? undefined)
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
  const destination = tracedDestination(transaction, networkOf(account), () =>
    carrierOf(work, account),
  )
  return moveIncoming(work, transaction, event, { settledAt: work.now, destination })
}

/** The failure refunds the sender at once, so the refund starts and completes here. */
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
