// Records
export { checkNewAccount, checkNewAccountOf } from './validation/new-account.ts'
export { createdReply } from './records/created-reply.ts'
export { createExternalAccount } from './records/create-external-account.ts'
export { deleteExternalAccount } from './records/delete-external-account.ts'
export { isWalletType } from './account-types/table.ts'
export { SCREENABLE_TYPES } from './ownership/rules.ts'
export { orderedAccount, partyOfBeneficiary } from './payment/party.ts'
export { addressOf } from './external-account.ts'
export type { ExternalAccount } from './external-account.ts'
export {
  findAnyExternalAccount,
  findExternalAccount,
  lockExternalAccount,
  mustFindExternalAccount,
  mustLockAccountForUse,
  mustLockExternalAccount,
} from './records/find-external-account.ts'
export { listExternalAccounts } from './records/list-external-accounts.ts'
export { indexOfInfo } from './records/duplicate-index.ts'
export { findDefaultAccount, findPlatformOfAccount, saveTrust } from './records/store.ts'
export {
  ExternalAccountCreateRequest,
  ExternalAccountListResponse,
  ExternalAccountSchema,
  PlatformExternalAccountsQuery,
} from './schema.ts'
export { accountToEvent, accountToWire } from './wire.ts'

// Payments
export {
  invoiceRefusal,
  isClosed,
  isTrustedBy,
  networkOf,
  paymentSideRefusal,
  pullRefusal,
} from './payment/side.ts'
export { railProviderOf } from './payment/rail-provider.ts'
export { spendInvoice } from './payment/spend-invoice.ts'
export { listSideAccounts, lockExternalAccountsForShare } from './payment/store.ts'
export type { SideAccount } from './payment/store.ts'

// For the operator and the hosted page
export { ACCOUNT_TYPE_NAMES, defaultRailOf, PAYOUT_CURRENCIES } from './account-types/table.ts'
export { decideOwnership } from './ownership/decide-ownership.ts'
export {
  findLivenessCheck,
  LIVENESS_ACTIONS,
  livenessActions,
  livenessState,
  type LivenessAction,
  type LivenessState,
} from './ownership/liveness-check.ts'
export { hasNetworkForm } from './account-types/network-address.ts'
export { countOwnershipReviews, findOpenChallenge } from './ownership/store.ts'
export { SETTABLE_STATUSES, setAccountStatus } from './status/set-account-status.ts'
export { applyVerdict } from './status/settle-screening.ts'
export { nameChecks } from './status/name-check.ts'
export { takeLivenessCheck } from './ownership/take-liveness-check.ts'

// Wired in app/
export { externalAccountJobs } from './jobs.ts'
export { routes } from './routes.ts'
export {
  closeExternalAccounts,
  lockExternalAccountsOfCustomer,
} from './records/close-external-accounts.ts'
export { MAGIC_ACCOUNTS } from './formats/sandbox-suffix.ts'
