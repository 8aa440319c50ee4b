/** A part of a payout that came back (PROV-66). */
import { formatId, newId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import { postWith } from '../../../ledger/post.ts'
import { returnPart } from '../../../ledger/recipes/payments.ts'
import {
  emitIncoming,
  newTransaction,
  type IncomingTransaction,
  type OutgoingTransaction,
} from '../../transactions/index.ts'
import {
  loadPayment,
  mustHaveAccount,
  payoutRailOf,
  pricedPayment,
  settlementKeysOf,
  type Payment,
} from '../payment.ts'
import {
  applySteps,
  repayDebt,
  saveState,
  withJournals,
  type PaymentContext,
  type PaymentState,
} from './state.ts'

/**
 * Credits a partial return of a payout to the payer, at the payment's own rate, as an incoming payment; the payment
 * stays completed (PROV-66). Answers the credited amount.
 */
export async function creditPart(
  work: Work,
  transaction: OutgoingTransaction,
  returned: bigint,
): Promise<bigint> {
  const payment = await loadPayment(work, transaction, { mayRefund: false })
  const accountId = await payersAccount(work, payment)
  const keys = settlementKeysOf({ ...payment, refundAccountId: accountId })
  const state = await postWith(work, keys, (book) =>
    applySteps({ eventContext: work, payment, book }, (context, begun) =>
      takePart(context, begun, { returned, accountId }),
    ),
  )
  saveState(work, transaction, state)
  return state.received[0]?.received.amount ?? 0n
}

type Part = Readonly<{ returned: bigint; accountId: Id<'internalAccount'> }>

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
async function payersAccount(
  work: Work,
  { paying, transaction: { customerId, sent } }: Payment,
): Promise<Id<'internalAccount'>> {
  if (paying.kind === 'internal') return paying.account.id
  return mustHaveAccount(work, { customerId, currency: sent.currency })
}
