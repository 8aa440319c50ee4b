export { claimFunding } from './funding/claim-funding.ts'
export {
  closeCustomerAccounts,
  closeRefundAccount,
  addBalanceObstacle,
  lockAccountsOfCustomer,
  refuseRemovalWithMoney,
} from './closing/close-customer-accounts.ts'
export { createInternalAccounts } from './opening/create-internal-accounts.ts'
export {
  freezeAccount,
  freezeCustomerAccounts,
  unfreezeAccount,
} from './record/change-account-status.ts'
export {
  defaultFunding,
  fundingNetworksOf,
  type FundingDraft,
  type FundingRequest,
  type FundingService,
  type PaymentInstructions,
} from './funding/instructions.ts'
export type { InternalAccount } from './record/internal-account.ts'
export { mustBeActive } from './record/must-be-active.ts'
export {
  openCustomerAccounts,
  openFurtherAccounts,
  openPlatformAccounts,
} from './opening/open-accounts.ts'
export { listCustomerAccounts } from './record/list-customer-accounts.ts'
export {
  listAccountsOfOwners,
  listOwnedAccountIds,
  listInstructionsOfOwners,
} from './record/owner-store.ts'
export { accountOpenings } from './opening/account-openings.ts'
export {
  markProvisioningFailed,
  provisionAccount,
  type ProvisionedInfo,
} from './opening/provision-account.ts'
export { returnBalance, type ReturnedBalance } from './closing/return-balance.ts'
export { countReturnable, findReturnable, listReturnable } from './closing/store.ts'
export { routes } from './routes.ts'
export { referenceOf, SANDBOX_ROUTING_NUMBER } from './funding/sandbox-values/bank-identifiers.ts'
export { decimalDigits, seedOf } from './funding/sandbox-values/seed.ts'
export { sparkAddressOf } from './funding/sandbox-values/wallet-addresses.ts'
export { draftSharedFunding } from './funding/shared-funding.ts'
export {
  InternalAccountListSchema,
  InternalAccountSchema,
  PaymentInstructionsSchema,
  PlatformAccountsQuerySchema,
} from './schema.ts'
export {
  findAccount,
  findAccounts,
  lockAccount,
  lockAccountsForShare,
  lockAccountsIn,
  type AccountSnapshot,
} from './record/store.ts'
export { setPrivateEnabled } from './record/set-private-enabled.ts'
export { setWalletFunding } from './funding/set-wallet-funding.ts'
export { insertAddresses } from './funding/store.ts'
export { emitBalances } from './record/emit-balances.ts'
export { toWire as internalAccountToWire, type WireInternalAccount } from './record/wire.ts'
