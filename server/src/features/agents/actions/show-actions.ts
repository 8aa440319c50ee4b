import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  listQuotes,
  quoteIdOf,
  showQuotes,
  transactionIdOf,
  type WireQuote,
} from '../../quotes/index.ts'
import { findTransactions, transactionToWire, type Transaction } from '../../transactions/index.ts'
import { actionAt, type Action } from './action.ts'
import type { ActionBody } from '../schema.ts'
import { actionToWire } from './wire.ts'

/** Actions with their quotes and transactions, all at this moment. */
export async function showActions(work: Work, stored: readonly Action[]): Promise<ActionBody[]> {
  const { tx, platform, now } = work
  const actions = stored.map((action) => actionAt(action, now))
  const ids = actions.map(({ transactionId }) => transactionId)
  const transactions = ids.length > 0 ? await findTransactions(tx, platform.id, ids) : []
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]))
  const quotes = await showQuotesOf(work, actions, byId)
  return actions.map((action) => {
    const payment = byId.get(action.transactionId)
    invariant(payment, 'An action has a transaction.')
    return toBody(work, { action, payment, quote: quotes.get(action.transactionId) })
  })
}

/** One action with a payment that the caller has just changed and not written yet. */
export async function showChanged(
  work: Work,
  { action, payment }: Readonly<{ action: Action; payment: Transaction }>,
): Promise<ActionBody> {
  const quotes = await showQuotesOf(work, [action], new Map([[payment.id, payment]]))
  return toBody(work, { action, payment, quote: quotes.get(action.transactionId) })
}

type Showing = Readonly<{ action: Action; payment: Transaction; quote: WireQuote | undefined }>

function toBody({ platform }: Work, { action, payment, quote }: Showing): ActionBody {
  const transaction = transactionToWire(platform.id, payment)
  return actionToWire(platform.id, { action, payment, transaction, ...(quote && { quote }) })
}

async function showQuotesOf(
  work: Work,
  actions: readonly Action[],
  transactions: ReadonlyMap<Id<'transaction'>, Transaction>,
): Promise<ReadonlyMap<Id<'transaction'>, WireQuote>> {
  const { tx, platform } = work
  const keys = actions
    .filter(({ type }) => type === 'EXECUTE_QUOTE')
    .map(({ transactionId }) => ({ platformId: platform.id, id: quoteIdOf(transactionId) }))
  const quotes = keys.length > 0 ? await listQuotes(tx, keys) : []
  const quoted = quotes.map((quote) => {
    const transaction = transactions.get(transactionIdOf(quote.id))
    invariant(transaction?.type === 'OUTGOING', 'A quote has a transaction.')
    return { quote, transaction }
  })
  const shown = await showQuotes(work, quoted)
  return new Map(
    quoted.map(({ transaction }, index) => [transaction.id, shown[index] as WireQuote]),
  )
}
