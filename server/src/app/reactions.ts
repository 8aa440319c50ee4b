import {
  closeCustomerAccounts,
  addBalanceObstacle,
  lockAccountsOfCustomer,
  openCustomerAccounts,
  openFurtherAccounts,
  openPlatformAccounts,
  refuseRemovalWithMoney,
  emitBalances,
} from '../features/internal-accounts/index.ts'
import {
  deleteAgentsOfCustomer,
  markExpiredActionFailed,
  lockActionsOfCustomer,
  refuseCancelling,
  refuseSettling,
} from '../features/agents/index.ts'
import {
  closeCustomerCards,
  addOpenAuthorizationObstacle,
  lockCustomerCards,
} from '../features/cards/index.ts'
import { receiveCollected, recheckHeldDeposits, takeAsReturn } from '../features/deposits/index.ts'
import { cancelCustomerInvitations } from '../features/invitations/index.ts'
import {
  endAuthorizationsOfCustomer,
  expireQuotesOfCustomer,
  lockQuotesOfCustomer,
} from '../features/quotes/index.ts'
import { refuseRemoval } from '../orders/index.ts'
import { revokeKeysOfUnbound } from '../features/delegated-keys/index.ts'
import {
  closeExternalAccounts,
  lockExternalAccountsOfCustomer,
} from '../features/external-accounts/index.ts'
import { voidCode } from '../features/contact-verification/index.ts'
import { followPlatformCurrencies } from '../features/customers/index.ts'
import { endWalletOfCustomer, openWallets } from '../features/wallet-auth/index.ts'
import { resolvePriceJump, startPulling } from '../features/rates/index.ts'
import { changePhoneFactor, forgetCustomer } from '../features/sca/index.ts'
import {
  screenCustomers,
  screenNewAccount,
  screenOwner,
  startPullingVersions,
} from '../features/screening/index.ts'
import { addOpenOperationObstacle } from '../features/stablecoins/index.ts'
import {
  addUnsettledPaymentObstacles,
  refuseClearingFields,
} from '../features/transactions/index.ts'
import { refuseDocumentChange, reviewOwners } from '../features/verifications/index.ts'
import { dropCallers, type Callers } from '../infra/callers.ts'
import type { Reactions } from '../infra/work/reactions.ts'

/** In the order in which a payment locks, customer last: cards, payments, external accounts, internal accounts. */
const DELETION_LOCKS = [
  lockCustomerCards,
  lockActionsOfCustomer,
  lockQuotesOfCustomer,
  lockExternalAccountsOfCustomer,
  lockAccountsOfCustomer,
]

/** The reactions to every internal event, in order; they run in the same transaction. */
export const createReactions = ({ callers }: { callers: Pick<Callers, 'forget'> }): Reactions => ({
  'balances.changed': [emitBalances],
  'platform.currenciesAdded': [openPlatformAccounts, followPlatformCurrencies],
  'customers.created': [openCustomerAccounts],
  'customers.identityChanged': [screenCustomers],
  'customers.currenciesAdded': [openFurtherAccounts],
  'customers.currenciesChanging': [lockAccountsOfCustomer],
  'customers.currenciesRemoved': [refuseRemovalWithMoney],
  'customers.contactChanged': [voidCode],
  'customers.phoneChanging': [changePhoneFactor],
  'sca.proofsVoiding': [lockQuotesOfCustomer],
  'sca.proofsVoided': [endAuthorizationsOfCustomer],
  'customers.fieldsCleared': [refuseClearingFields],
  'customers.fieldsFilled': [recheckHeldDeposits],
  'wallets.opened': [openWallets],
  'customers.statusChanged': [],
  'customers.deletionRequested': DELETION_LOCKS,
  // Once all is locked money can only come back to an account, so everything outside the accounts is read before their
  // balances.
  'customers.deletionChecked': [
    ...DELETION_LOCKS,
    addOpenOperationObstacle,
    addOpenAuthorizationObstacle,
    addUnsettledPaymentObstacles,
    addBalanceObstacle,
  ],
  // Agents after the accounts, as a payment by an agent locks them; balances last.
  'customers.deleting': [
    closeCustomerCards,
    deleteAgentsOfCustomer,
    endAuthorizationsOfCustomer,
    expireQuotesOfCustomer,
    endWalletOfCustomer,
    closeCustomerAccounts,
    closeExternalAccounts,
    forgetCustomer,
    cancelCustomerInvitations,
  ],
  'beneficialOwners.changed': [reviewOwners],
  'beneficialOwners.identityChanged': [screenOwner],
  'documents.changing': [refuseDocumentChange],
  'documents.changed': [reviewOwners],
  'externalAccounts.created': [screenNewAccount],
  'cards.accountsUnbound': [revokeKeysOfUnbound],
  'agents.changed': [dropCallers(callers)],
  'quotes.expired': [markExpiredActionFailed],
  'transactions.cancelling': [refuseCancelling],
  'transactions.settling': [refuseSettling],
  'payments.collectedLate': [receiveCollected],
  'providers.saved': [startPulling, startPullingVersions],
  'providers.removing': [refuseRemoval],
  'exceptions.resolved': [resolvePriceJump, takeAsReturn],
  'token.deleted': [dropCallers(callers)],
})
