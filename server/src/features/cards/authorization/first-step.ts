import { newId, newUuid, type Id } from '../../../kernel/ids.ts'
import * as book from '../../../ledger/recipes/cards.ts'
import type { Journal } from '../../../ledger/posting.ts'
import { AUTHORIZATION_KINDS, type AuthorizationKind } from './decision.ts'
import type {
  CardTransaction,
  DeclineReason,
  Merchant,
  PendingOutcome,
} from '../transaction/card-transaction.ts'
import { eventOf, type Step } from '../transaction/steps.ts'

export type Asked = Readonly<{
  cardId: Id<'card'>
  customerId: Id<'customer'>
  platformCustomerId: string
  accountId: Id<'internalAccount'>
  kind: AuthorizationKind
  merchant: Merchant
  currency: string
  amount: bigint
  now: Date
}>

const NOTHING = {
  declineReason: null,
  settled: null,
  settlementCount: 0,
  refunded: null,
  returns: [],
  pulled: 0n,
  pullCount: 0,
  pendingPull: 0n,
  pendingOutcome: null,
  shortfall: 0n,
  shortfallCause: null,
  eventCount: 0,
  lastEventAt: null,
} as const

export function begin({ kind, amount, now, ...asked }: Asked): CardTransaction {
  return {
    ...NOTHING,
    ...asked,
    id: newId('cardTransaction'),
    issuerTransactionToken: newUuid(),
    direction: AUTHORIZATION_KINDS[kind].direction,
    status: 'AUTHORIZED',
    authorized: amount,
    activeAt: now,
    createdAt: now,
    updatedAt: now,
  }
}

/** AUTHZ-24: it is kept, and moves nothing. */
export const declined = (asked: Asked, declineReason: DeclineReason): Step => ({
  transaction: { ...begin(asked), status: 'DECLINED', declineReason },
  journals: [],
})

/** An approved authorization; one message also settles it (CTXN-14). */
export function approved(asked: Asked, pending: PendingOutcome | undefined): Step {
  const { direction, isSingleMessage } = AUTHORIZATION_KINDS[asked.kind]
  const { transaction, journals } =
    direction === 'DEBIT'
      ? debit(begin(asked), { pending, isSingleMessage })
      : credit(begin(asked), { pending, isSingleMessage })
  if (!isSingleMessage) return { transaction, journals }
  const { authorized } = transaction
  return {
    transaction: { ...transaction, status: 'SETTLED', settled: authorized, settlementCount: 1 },
    journals,
  }
}

type Way = Readonly<{ pending: PendingOutcome | undefined; isSingleMessage: boolean }>

/** A pull that is not confirmed is a hold; what one message clears then waits for the confirmation, too. */
function debit(transaction: CardTransaction, { pending, isSingleMessage }: Way): Step {
  const { authorized } = transaction
  const event = eventOf(transaction)
  const pulled = { ...transaction, pulled: authorized, pullCount: 1 }
  if (pending) {
    return {
      transaction: { ...pulled, pendingPull: authorized, pendingOutcome: pending },
      journals: [book.holdPull(event, authorized)],
    }
  }
  const clearing = isSingleMessage ? [book.clear(event, { reserved: authorized, short: 0n })] : []
  return { transaction: pulled, journals: [book.pullFunds(event, authorized), ...clearing] }
}

/** Only what one message pays out can be on its way; any credit can fail. */
function credit(transaction: CardTransaction, { pending, isSingleMessage }: Way): Step {
  const isPending = pending === 'FAILED' || (pending === 'CONFIRMED' && isSingleMessage)
  const journals: Journal[] =
    isSingleMessage && !isPending
      ? [book.creditFromNetwork(eventOf(transaction), transaction.authorized)]
      : []
  return { transaction: { ...transaction, pendingOutcome: isPending ? pending : null }, journals }
}
