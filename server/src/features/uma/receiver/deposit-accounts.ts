import { formatId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import type { Customer } from '../../customers/index.ts'
import { findDefaultAccount } from '../../external-accounts/index.ts'
import { listActiveAccounts } from './store.ts'

/** An account of a customer that UMA payments in a currency are credited to, by its id on the wire. */
export type DepositAccount = Readonly<{ currency: string; accountId: string }>

/**
 * UMA-10: where a customer's UMA payments go, one account for each currency that it can be paid in, in its own order of
 * currencies: the default deposit account for its currency, for all others the customer's accounts here.
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
  // An invoice is paid once, and an account that is not in use is not paid at all.
  const isPreferred = preferred?.status === 'ACTIVE' && preferred.identifiedBy !== 'invoice'
  if (isPreferred) found.set(preferred.currency, formatId('externalAccount', preferred.id))
  const ranked = [...new Set([...currencies, ...found.keys()])]
  return ranked.flatMap((currency) => {
    const accountId = found.get(currency)
    return accountId === undefined ? [] : [{ currency, accountId }]
  })
}
