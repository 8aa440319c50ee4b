import { formatId, newId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import { availableOf, LOSS_PROVIDERS, RECEIVABLE_PLATFORM } from '../../../ledger/chart.ts'
import { post, postWith } from '../../../ledger/post.ts'
import { returnPart } from '../../../ledger/recipes/payments.ts'
import { bearLoss, PAID_ANYWAY, returnPaidAnyway } from '../../../ledger/recipes/providers.ts'
import { repayReceivable } from '../../../ledger/recipes/receivable.ts'
import { listJournalLines } from '../../../ledger/reports/list-journal-lines.ts'
import { displayName, findOwner } from '../../customers/index.ts'
import { createInternalAccounts, listAccountsOfOwners } from '../../internal-accounts/index.ts'
import type { Order } from '../../../orders/index.ts'
import {
  applySteps,
  loadPayment,
  payoutRailOf,
  pricedPayment,
  repayDebt,
  saveState,
  settlementKeysOf,
  withJournals,
  type Payment,
  type PaymentContext,
  type PaymentState,
} from '../../payments/index.ts'
import {
  emitIncoming,
  lockTransaction,
  newTransaction,
  postTakenBack,
  type IncomingTransaction,
} from '../../transactions/index.ts'

/** The payment of an order whose lock the caller holds. */
async function paymentOf(work: Work, { transactionId }: Order): Promise<Payment> {
  invariant(transactionId, 'A money order is for a payment.')
  const transaction = await lockTransaction(work.tx, work.platform.id, transactionId)
  invariant(transaction?.type === 'OUTGOING', 'What is paid out is a payment out.')
  return loadPayment(work, transaction, { mayRefund: false })
}

/**
 * Credits a partial return of a payout to the payer, at the payment's own rate, as an incoming payment; the payment
 * stays completed (PROV-66). Answers the credited amount.
 */
export async function creditPart(work: Work, order: Order, returned: bigint): Promise<bigint> {
  const payment = await paymentOf(work, order)
  const accountId = await payersAccount(work, payment)
  const keys = settlementKeysOf({ ...payment, refundAccountId: accountId })
  const state = await postWith(work, keys, (book) =>
    applySteps({ eventContext: work, payment, book }, (context, begun) =>
      takePart(context, begun, { returned, accountId }),
    ),
  )
  saveState(work, payment.transaction, state)
  return state.received[0]?.received.amount ?? 0n
}

type Part = Readonly<{ returned: bigint; accountId: Awaited<ReturnType<typeof payersAccount>> }>

function takePart(
  context: PaymentContext,
  state: PaymentState,
  { returned, accountId }: Part,
): PaymentState {
  const { eventContext, payment } = context
  const { receiving, transaction } = payment
  invariant(receiving.kind !== 'internal', 'What comes back was paid out.')
  const id = newId('transaction')
  const rail = payoutRailOf(receiving, transaction)
  const priced = pricedPayment(payment)
  const part = { payment: priced, rail, returned, accountId, reference: id }
  const { journal, credited } = returnPart(part)
  const received = newTransaction<IncomingTransaction>({
    id,
    type: 'INCOMING',
    status: 'COMPLETED',
    customerId: transaction.customerId,
    platformCustomerId: transaction.platformCustomerId,
    source: sourceOf(payment),
    destination: {
      destinationType: 'ACCOUNT',
      accountId: formatId('internalAccount', accountId),
      currency: credited.currency,
    },
    sent: { amount: returned, currency: priced.receiving.currency },
    received: credited,
    quoteId: transaction.quoteId,
    settledAt: eventContext.now,
    createdAt: eventContext.now,
  })
  emitIncoming(eventContext, received)
  const back = withJournals({ ...state, received: [...state.received, received] }, journal)
  if (transaction.customerId !== null) return back
  return repayDebt(context, back, { credit: journal, accountId, money: credited })
}

/** The source of the incoming payment is the account that was paid. */
function sourceOf({ transaction: { destination } }: Payment): IncomingTransaction['source'] {
  const { destinationType: _, ...side } = destination
  return 'umaAddress' in side
    ? { sourceType: 'UMA_ADDRESS', ...side }
    : { sourceType: 'ACCOUNT', ...side }
}

/** The account that paid; for funds from outside the owner's account in that currency, opened if needed. */
async function payersAccount(work: Work, { paying, transaction }: Payment) {
  if (paying.kind === 'internal') return paying.account.id
  const { customerId, sent } = transaction
  const owned = { platformId: work.platform.id, customerId, currency: sent.currency }
  const [found] = await listAccountsOfOwners(work.tx, [owned])
  if (found) return found.id
  const customer = customerId ? await findOwner(work, customerId) : undefined
  const holderName = customer ? displayName(customer) : work.platform.name
  const currencies = [sent.currency]
  await createInternalAccounts(work, [{ customerId: customer?.id, holderName, currencies }])
  const [made] = await listAccountsOfOwners(work.tx, [owned])
  invariant(made, 'The account was made.')
  return made.id
}

/** Books a payout that was made after its refund; the platform or the service bears it (PROV-70). */
export async function bookPaidAnyway(
  work: Work,
  order: Order,
  bearer: 'PLATFORM' | 'SERVICE',
): Promise<void> {
  const payment = await paymentOf(work, order)
  const { receiving, transaction } = payment
  invariant(receiving.kind !== 'internal' && order.money, 'What is paid out leaves the service.')
  const rail = payoutRailOf(receiving, transaction)
  const { money } = order
  if (bearer === 'SERVICE') {
    return post(work, [bearLoss({ transactionId: transaction.id, rail, money })])
  }
  return postTakenBack(work, { type: PAID_ANYWAY, reference: transaction.id, rail, money })
}

/**
 * Credits the return of a payout that was made after its refund to the party that bore it, since the payer has been
 * refunded (PROV-70). Answers false where nobody bore it, so that it is an ordinary return.
 */
export async function returnToBearer(work: Work, order: Order, amount: bigint): Promise<boolean> {
  const { tx, platform, now } = work
  const { receiving, transaction } = await paymentOf(work, order)
  invariant(receiving.kind !== 'internal' && order.money, 'What is paid out leaves the service.')
  const lines = await listJournalLines(tx, platform.id, [transaction.id])
  const borne = lines.filter(({ type }) => type === PAID_ANYWAY)
  if (borne.length === 0) return false
  const isServices = borne.some(({ account }) => account === LOSS_PROVIDERS)
  const money = { ...order.money, amount }
  const own = { platformId: platform.id, customerId: null, currency: money.currency }
  const [account] = isServices ? [] : await listAccountsOfOwners(tx, [own])
  const debt = isServices ? LOSS_PROVIDERS : RECEIVABLE_PLATFORM
  const to = account ? availableOf(account.id) : debt
  const keys = [debt, to].map((name) => ({ ...own, account: name }))
  const rail = payoutRailOf(receiving, transaction)
  const total = order.returnedAmount
  const credit = returnPaidAnyway({ transactionId: transaction.id, rail, money, total, to })
  await postWith(work, keys, (book) => {
    const owed = -book.balanceOf({ ...own, account: RECEIVABLE_PLATFORM })
    const repaid =
      account && repayReceivable({ credit, platformAccountId: account.id, credited: money, owed })
    book.mustApply(platform.id, now, repaid ? [credit, repaid] : [credit])
  })
  return true
}
