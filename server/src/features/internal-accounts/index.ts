export { claimFunding } from './claim-funding.ts'
export {
  closeCustomerAccounts,
  closeRefundAccount,
  findMoneyOnAccounts,
  refuseRemovalWithMoney,
  holdCustomerAccounts,
} from './close-customer-accounts.ts'
export { createInternalAccounts } from './create-internal-accounts.ts'
export { freezeAccount, unfreezeAccount } from './freeze-account.ts'
export {
  defaultFunding,
  FUNDING_ADDRESS_FIELDS,
  fundingNetworksOf,
  type FundingDraft,
  type FundingRequest,
  type FundingService,
  type PaymentInstructions,
} from './funding-instructions.ts'
export { mustBeActive, type InternalAccount } from './internal-account.ts'
export { openCustomerAccounts, openFurtherAccounts, openPlatformAccounts } from './open-accounts.ts'
export { listCustomerAccounts } from './list-customer-accounts.ts'
export {
  listAccountsOfOwners,
  listOwnedAccountIds,
  listInstructionsOfOwners,
} from './owner-store.ts'
export {
  markProvisioningFailed,
  provisionAccount,
  type ProvisionedInfo,
} from './provision-account.ts'
export { returnBalance, type ReturnedBalance } from './return-balance.ts'
export { countReturnable, findReturnable, listReturnable } from './returnable-store.ts'
export { routes } from './routes.ts'
export { referenceOf, SANDBOX_ROUTING_NUMBER } from './sandbox-values/bank-identifiers.ts'
export { decimalDigits, seedOf } from './sandbox-values/seed.ts'
export { sparkAddressOf } from './sandbox-values/wallet-addresses.ts'
export { draftSharedFunding } from './shared-funding.ts'
export {
  InternalAccountListSchema,
  InternalAccountSchema,
  PaymentInstructionsSchema,
  PlatformAccountsQuerySchema,
} from './schema.ts'
export {
  findAccount,
  findAccounts,
  insertAddresses,
  listCustomerAccounts as listAccountsOfCustomers,
  listPlatformAccounts,
  lockAccount,
  lockAccountsForShare,
  type AccountWithBalances,
  type AccountSnapshot,
} from './store.ts'
export { setPrivateEnabled } from './set-private-enabled.ts'
export { setWalletFunding } from './set-wallet-funding.ts'
export { emitBalances } from './emit-balances.ts'
export { toWire as internalAccountToWire, type WireInternalAccount } from './wire.ts'
