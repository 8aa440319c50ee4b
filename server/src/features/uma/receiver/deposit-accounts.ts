import { formatId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../../customers/index.ts'
import { findDefaultAccount } from '../../external-accounts/index.ts'
import { listActiveAccounts } from './store.ts'

/** The account that receives a customer's UMA payments in a currency, by its id on the wire. */
export type DepositAccount = Readonly<{ currency: string; accountId: string }>

/**
 * One account for each currency that a customer can be paid in, in the customer's order of currencies: the default deposit
 * account for its currency, the customer's internal accounts for all others (UMA-10).
 */
export async function listDepositAccounts(
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  { id, currencies }: Pick<Customer, 'id' | 'currencies'>,
): Promise<DepositAccount[]> {
  const [internal, preferred] = await Promise.all([
    listActiveAccounts(tx, platform.id, id),
    findDefaultAccount(tx, platform.id, id),
  ])
  const found = new Map<string, string>(
    internal.map((account) => [account.currency, formatId('internalAccount', account.id)]),
  )
  // An invoice can be paid only once, and an inactive account not at all.
  const isPreferred = preferred?.status === 'ACTIVE' && preferred.identifiedBy !== 'invoice'
  if (isPreferred) found.set(preferred.currency, formatId('externalAccount', preferred.id))
  const ranked = [...new Set([...currencies, ...found.keys()])]
  return ranked.flatMap((currency) => {
    const accountId = found.get(currency)
    return accountId === undefined ? [] : [{ currency, accountId }]
  })
}
