import { isRemote, type PortQuery } from '../../../kernel/ports.ts'
import type { Work } from '../../../infra/work/work.ts'
import { placeOrder } from '../../../orders/index.ts'
import { isCryptoNetwork } from '../../transactions/index.ts'
import type { ArrivedMoney } from '../deposit.ts'

type Returning = Pick<ArrivedMoney, 'id' | 'money' | 'report'>

/** The provider that reported a deposit sends it back, if it can; else the one that is chosen for its rail (PROV-83). */
export const returnQuery = ({ money, report }: Returning): PortQuery => ({
  port: 'rails',
  rail: report.rail,
  currency: money.currency,
  preferred: report.reportedBy,
})

/** Orders the return of a deposit with the commit. False: no provider outside sends it. */
export function placeReturn(work: Work, deposit: Returning): boolean {
  const provider = work.ports.providerOf(returnQuery(deposit))
  if (!provider || !isRemote(provider)) return false
  const { id: transactionId, money, report } = deposit
  const { rail } = report
  const request = isCryptoNetwork(rail) ? { network: rail } : { rail }
  placeOrder(work, { type: 'DEPOSIT_RETURN', provider, transactionId, money, request })
  return true
}
