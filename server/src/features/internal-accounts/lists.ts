// What lists of the operator need, without use-cases and routes (OPER-204).
export {
  findAccount,
  listCustomerAccounts as listAccountsOfCustomers,
  listPlatformAccounts,
  type AccountWithBalances,
} from './record/store.ts'
