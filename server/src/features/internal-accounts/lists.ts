// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { FUNDING_ADDRESS_FIELDS } from './funding/address-fields.ts'
export {
  findAccount,
  listCustomerAccounts as listAccountsOfCustomers,
  listPlatformAccounts,
  type AccountWithBalances,
} from './record/store.ts'
export { PaymentInstructionsSchema } from './schema.ts'
