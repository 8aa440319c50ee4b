// The reads of list commands, without use-cases and routes, so that a command loads no more than these (OPER-204).
export { CARD_STATES } from './record/machine.ts'
export { listCardExceptions } from './transaction/store.ts'
