// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { ACCOUNT_PAYER_COLUMNS } from './payer/store.ts'
export type { Payer, PayerColumns } from './payer/payer.ts'
export { splitPayer } from './payer/sealed-payer.ts'
export { textAt } from './profile/record.ts'
export { CUSTOMER_NAME, nameCustomers, type SealedName } from './records/contact-store.ts'
export type { CustomerStatus, CustomerType } from './status/machine.ts'
export { CUSTOMER_STATUSES } from './status/machine.ts'
