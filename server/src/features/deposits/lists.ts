// What lists of the operator need, without use-cases and routes (OPER-204).
export type { Deposit } from './deposit.ts'
export { DEPOSIT_STATUSES } from './machine.ts'
export { findDeposit, listDeposits } from './store.ts'
