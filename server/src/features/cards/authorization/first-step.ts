import { newId, newUuid, type Id } from '../../../kernel/ids.ts'
import * as book from '../../../ledger/recipes/cards.ts'
import type { Journal } from '../../../ledger/posting.ts'
import type { AccountSnapshot } from '../../internal-accounts/index.ts'
import type { Card } from '../record/card.ts'
import { AUTHORIZATION_KINDS, type AuthorizationKind } from './decision.ts'
import type {
  CardTransaction,
  DeclineReason,
  Merchant,
  PendingOutcome,
} from '../transaction/card-transaction.ts'
import { messageOf, type Step } from '../transaction/steps.ts'

export type AuthorizationRequest = Readonly<{
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

/** The parts of a request that follow from the card and the account that pays. */
export const ownersOf = (card: Card, { id, platformCustomerId }: AccountSnapshot) => ({
  cardId: card.id,
  customerId: card.customerId,
  platformCustomerId: platformCustomerId ?? '',
  accountId: id,
  currency: card.currency,
})

const UNUSED = {
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
  messageCount: 0,
  lastEventAt: null,
} as const

export function newCardTransaction({
  kind,
  amount,
  now,
  ...request
}: AuthorizationRequest): CardTransaction {
  return {
    ...UNUSED,
    ...request,
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

/** A declined authorization is stored and moves no money (AUTHZ-24). */
export const declinedTransaction = (
  request: AuthorizationRequest,
  declineReason: DeclineReason,
): Step => ({
  transaction: { ...newCardTransaction(request), status: 'DECLINED', declineReason },
  journals: [],
})

/** Approval also settles a single-message authorization (CTXN-14). */
export function approvedTransaction(
  request: AuthorizationRequest,
  pending: PendingOutcome | undefined,
): Step {
  const { direction, isSingleMessage } = AUTHORIZATION_KINDS[request.kind]
  const { transaction, journals } =
    direction === 'DEBIT'
      ? debit(newCardTransaction(request), { pending, isSingleMessage })
      : credit(newCardTransaction(request), { pending, isSingleMessage })
  if (!isSingleMessage) return { transaction, journals }
  const { authorized } = transaction
  return {
    transaction: { ...transaction, status: 'SETTLED', settled: authorized, settlementCount: 1 },
    journals,
  }
}

type MessageOptions = Readonly<{ pending: PendingOutcome | undefined; isSingleMessage: boolean }>

/** An unconfirmed pull is a hold, and the clearing of a single message waits for the confirmation, too. */
function debit(transaction: CardTransaction, { pending, isSingleMessage }: MessageOptions): Step {
  const { authorized } = transaction
  const message = messageOf(transaction)
  const pulled = { ...transaction, pulled: authorized, pullCount: 1 }
  if (pending) {
    return {
      transaction: { ...pulled, pendingPull: authorized, pendingOutcome: pending },
      journals: [book.holdPull(message, authorized)],
    }
  }
  const clearing = isSingleMessage ? [book.clear(message, { reserved: authorized, short: 0n })] : []
  return { transaction: pulled, journals: [book.pullFunds(message, authorized), ...clearing] }
}

/** Only a single-message credit can be pending; any credit can fail. */
function credit(transaction: CardTransaction, { pending, isSingleMessage }: MessageOptions): Step {
  const isPending = pending === 'FAILED' || (pending === 'CONFIRMED' && isSingleMessage)
  const journals: Journal[] =
    isSingleMessage && !isPending
      ? [book.creditFromNetwork(messageOf(transaction), transaction.authorized)]
      : []
  return { transaction: { ...transaction, pendingOutcome: isPending ? pending : null }, journals }
}
