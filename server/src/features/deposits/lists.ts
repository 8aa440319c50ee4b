// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export type { Deposit } from './deposit.ts'
export { DEPOSIT_STATUSES } from './machine.ts'
export { findDeposit, listDeposits } from './store.ts'
