// What lists of the operator need, without use-cases and routes (OPER-204).
export { CARD_STATES } from './record/machine.ts'
export { listCardExceptions } from './transaction/store.ts'
