import type { Static } from '../../../infra/http/schema/type.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { amountToWire, moneyToWire } from '../../../kernel/money/wire-money.ts'
import {
  listedToWire,
  type CardEntry,
  type CardTransactionSchema,
} from '../../transactions/index.ts'
import type { CardTransaction } from './card-transaction.ts'

export type WireCardTransaction = Static<typeof CardTransactionSchema>

/** The transaction as an entry of the list of all transactions. */
export function toEntry(transaction: CardTransaction): CardEntry {
  const { id, status, customerId, platformCustomerId, cardId, createdAt, updatedAt } = transaction
  return {
    type: 'CARD',
    id,
    status,
    customerId,
    platformCustomerId,
    cardId,
    details: detailsOf(transaction),
    createdAt,
    updatedAt,
  }
}

export const cardTransactionToWire = (
  platformId: Id<'platform'>,
  transaction: CardTransaction,
): WireCardTransaction => listedToWire(platformId, toEntry(transaction)) as WireCardTransaction

function detailsOf(transaction: CardTransaction): Readonly<Record<string, unknown>> {
  const { currency, declineReason, settled, refunded, lastEventAt } = transaction
  const money = (amount: bigint) => moneyToWire({ amount, currency })
  return {
    issuerTransactionToken: transaction.issuerTransactionToken,
    ...(declineReason && { declineReason }),
    direction: transaction.direction,
    merchant: transaction.merchant,
    authorizedAmount: money(transaction.authorized),
    ...(settled !== null && { settledAmount: money(settled) }),
    ...(refunded !== null && { refundedAmount: money(refunded) }),
    accountId: formatId('internalAccount', transaction.accountId),
    ...summariesOf(transaction),
    authorizedAt: toWireTime(transaction.createdAt),
    ...(lastEventAt && { lastEventAt: toWireTime(lastEventAt) }),
  }
}

const summariesOf = (transaction: CardTransaction) => ({
  pullSummary: {
    count: transaction.pullCount,
    totalAmount: amountToWire(transaction.pulled),
    pendingCount: transaction.pendingPull > 0n ? 1 : 0,
  },
  settlementSummary: {
    count: transaction.settlementCount,
    totalAmount: amountToWire(transaction.settled ?? 0n),
  },
  refundSummary: {
    count: transaction.returns.length,
    totalAmount: amountToWire(transaction.refunded ?? 0n),
  },
})
