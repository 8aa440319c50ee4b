// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { CARD_STATES } from './record/machine.ts'
export { listCardExceptions } from './transaction/store.ts'
