import { createHash } from 'node:crypto'
import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { RefundTarget } from '../../../ledger/recipes/refunds.ts'
import type { IncomingStatus, OutgoingStatus } from './machine.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Provider } from '../../../kernel/ports.ts'
import type { NetworkName } from '../../rates/index.ts'
import { isCryptoNetwork } from '../wire/rails.ts'
import type { Transaction, TransactionDestination } from './transaction.ts'

/** How a payment was funded, which decides the target of its refund. */
export type FundedBy =
  | Readonly<{ kind: 'internalAccount'; accountId: Id<'internalAccount'> }>
  | Readonly<{ kind: 'pull'; rail: string }>
  | Readonly<{ kind: 'realtimeFiat'; rail: string }>
  /** `ownerAccountId` is the owner's account of the coin. */
  | Readonly<{ kind: 'realtimeCrypto'; ownerAccountId: Id<'internalAccount'> }>

/** An internal account is refunded in any status, also FROZEN or CLOSED (TXN-8). */
export function refundTargetOf(funded: FundedBy): RefundTarget {
  switch (funded.kind) {
    case 'internalAccount':
      return { kind: 'account', accountId: funded.accountId }
    case 'realtimeCrypto':
      return { kind: 'account', accountId: funded.ownerAccountId }
    case 'pull':
    case 'realtimeFiat':
      return { kind: 'outside', rail: funded.rail }
  }
}

const CONFIRMATION_AHEAD_MS = 300 * SECOND_MS

/** A receipt may be dated from the transaction's creation to five minutes ahead (TXN-13). */
export function isReceiptTimeAllowed({
  confirmedAt,
  createdAt,
  now,
}: {
  confirmedAt: Date
  createdAt: Date
  now: Date
}): boolean {
  return confirmedAt >= createdAt && confirmedAt <= addMs(now, CONFIRMATION_AHEAD_MS)
}

const CANCELLABLE_RAILS: ReadonlySet<string> = new Set(['ACH', 'WIRE'])

/** Bank rails on which a payment can be cancelled (TXN-15). */
export const isCancellableRail = (rail: string | null | undefined): boolean =>
  CANCELLABLE_RAILS.has(rail ?? '')

/**
 * Why a transaction cannot be cancelled: first its rail decides, then its state (TXN-15). `isUnderWay` is false before
 * a quote is executed or an agent's transfer approved.
 */
export function cancelRefusal({
  status,
  paymentRail,
  isPull,
  isUnderWay,
}: {
  status: OutgoingStatus | IncomingStatus
  paymentRail: string | undefined
  isPull: boolean
  isUnderWay: boolean
}): ErrorCode | undefined {
  if (!isPull && !isCancellableRail(paymentRail)) return 'INVALID_INPUT'
  const isOpen = status === 'PENDING' || status === 'PROCESSING'
  return isOpen && isUnderWay ? undefined : 'TRANSACTION_NOT_CANCELLABLE'
}

/** The sandbox's transaction hash: 64 hex digits derived from the id (TXN-18). */
export function sandboxTransactionHash(transactionId: Id<'transaction'>): string {
  return createHash('sha256').update(transactionId).digest('hex')
}

/**
 * A completed payout over a network shows its transaction hash. The sandbox makes one up (TXN-18); in production the
 * operator or provider has recorded it before (TXN-19).
 */
export function tracedDestination(
  { id, destination }: Pick<Transaction, 'id' | 'destination'>,
  network: NetworkName | undefined,
  carrier: () => Pick<Provider, 'kind'> | undefined,
): TransactionDestination {
  if (!network || !isCryptoNetwork(network) || !('accountId' in destination)) return destination
  if (destination.onChainTransaction) return destination
  invariant(carrier()?.kind === 'sandbox', 'A payout to a wallet has a hash outside the sandbox.')
  const transactionHash = sandboxTransactionHash(id)
  return { ...destination, onChainTransaction: { transactionHash, network } }
}
