// Accounts themselves
export { checkNewAccount, checkNewAccountOf } from './check-new-account.ts'
export { createExternalAccount } from './create-external-account.ts'
export { deleteExternalAccount } from './delete-external-account.ts'
export { addressOf } from './external-account.ts'
export type { ExternalAccount } from './external-account.ts'
export {
  findExternalAccount,
  mustFindExternalAccount,
  mustHoldExternalAccount,
  mustLockExternalAccount,
} from './find-external-account.ts'
export { listExternalAccounts } from './list-external-accounts.ts'
export { indexOfInfo } from './sealed-account.ts'
export { trustExternalAccount } from './trust-external-account.ts'
export {
  ExternalAccountCreateRequest,
  ExternalAccountListResponse,
  ExternalAccountSchema,
  PlatformExternalAccountsQuery,
} from './schema.ts'
export { accountToEvent, accountToWire, warningsHeader } from './wire.ts'

// In payments
export {
  findPaymentAccounts,
  invoiceRefusal,
  isClosed,
  isTrustedBy,
  networkOf,
  paymentSideRefusal,
  pullRefusal,
} from './payment-side.ts'
export { spendInvoice } from './spend-invoice.ts'
export { findDefaultAccount, listSideAccounts, lockExternalAccountsForShare } from './store.ts'
export type { SideAccount } from './store.ts'

// For the operator and the hosted page
export { defaultRailOf, PAYOUT_CURRENCIES } from './default-rail.ts'
export { decideOwnership } from './decide-ownership.ts'
export { findLivenessCheck } from './find-liveness-check.ts'
export { LIVENESS_ACTIONS, livenessActions, livenessState } from './liveness-check.ts'
export type { LivenessAction, LivenessState } from './liveness-check.ts'
export { hasNetworkForm } from './network-address.ts'
export {
  countOwnershipReviews,
  findOpenChallenge,
  listOwnershipReviews,
} from './ownership-store.ts'
export type { OwnershipReview } from './ownership-store.ts'
export { SETTABLE_STATUSES, setAccountStatus } from './set-account-status.ts'
export type { SettableStatus } from './set-account-status.ts'
export { settleNameCheck } from './settle-name-check.ts'
export { findPlatformOfAccount } from './store.ts'
export { takeLivenessCheck } from './take-liveness-check.ts'

// Wired in app/
export { externalAccountJobs } from './jobs.ts'
export { routes } from './routes.ts'
export { closeExternalAccounts, holdExternalAccounts } from './close-external-accounts.ts'
