// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { legOf, type Leg } from './legs/leg.ts'
export type { LegReference } from './legs/store.ts'
export type { ListedTransaction } from './record/row.ts'
export { findTransaction, listTransactionsOfAll } from './record/store.ts'
export { CARD_TRANSACTION_STATUSES } from './wire/card-schema.ts'
export { ARRIVAL_RAILS } from './wire/rails.ts'
export { TRANSACTION_STATUSES, TransactionSchema } from './wire/schema.ts'
export { listedToWire } from './wire/wire.ts'
