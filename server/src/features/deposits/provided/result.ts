import { formatId } from '../../../kernel/ids.ts'
import type { ItemResult } from '../../providers/index.ts'
import type { Deposit } from '../deposit.ts'

/** What became of a deposit (PROV-82). */
export const toResult = ({ status, reason, transactionId }: Deposit): ItemResult => ({
  result: 'APPLIED',
  depositStatus: status,
  ...(reason !== null && { reason }),
  ...(transactionId !== null && { transactionId: formatId('transaction', transactionId) }),
})
