import {
  closeCustomerAccounts,
  openCustomerAccounts,
  openFurtherAccounts,
  openPlatformAccounts,
  refuseRemovalWithMoney,
  tellBalances,
} from '../features/internal-accounts/index.ts'
import { unlistExternalAccounts } from '../features/external-accounts/index.ts'
import { voidCode } from '../features/contact-verification/index.ts'
import { followPlatformCurrencies } from '../features/customers/index.ts'
import { dropCallers, type Callers } from '../infra/callers.ts'
import type { Reactions } from '../infra/reactions.ts'

/** What happens when… : every internal event with who reacts to it, in order, in the same transaction. */
export const createReactions = ({ callers }: { callers: Pick<Callers, 'forget'> }): Reactions => ({
  'balances.changed': [tellBalances],
  'platform.currenciesAdded': [openPlatformAccounts, followPlatformCurrencies],
  'customers.created': [openCustomerAccounts],
  'customers.currenciesAdded': [openFurtherAccounts],
  'customers.currenciesRemoved': [refuseRemovalWithMoney],
  'customers.contactChanged': [voidCode],
  'customers.statusChanged': [],
  'customers.deleting': [closeCustomerAccounts, unlistExternalAccounts],
  'documents.changing': [],
  'token.deleted': [dropCallers(callers)],
})
