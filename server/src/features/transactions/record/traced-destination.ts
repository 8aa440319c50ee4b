import { invariant } from '../../../kernel/invariant.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { NetworkName } from '../../rates/index.ts'
import { isCryptoNetwork } from '../wire/rails.ts'
import { sandboxTransactionHash } from './rules.ts'
import type { Transaction, TransactionDestination } from './transaction.ts'

/**
 * TXN-18: no payout over a network that leaves traces is completed without one. The sandbox makes one up; in production it
 * is on the payment already, as the operator gave it (TXN-19).
 */
export function tracedDestination(
  { environment }: Pick<Platform, 'environment'>,
  { id, destination }: Pick<Transaction, 'id' | 'destination'>,
  network: NetworkName | undefined,
): TransactionDestination {
  if (!network || !isCryptoNetwork(network) || !('accountId' in destination)) return destination
  if (destination.onChainTransaction) return destination
  invariant(environment === 'SANDBOX', 'In production a payout to a wallet has a hash.')
  const transactionHash = sandboxTransactionHash(id)
  return { ...destination, onChainTransaction: { transactionHash, network } }
}
