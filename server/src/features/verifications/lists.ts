// The reads of list commands, without use-cases and routes, so that a command loads no more than these (OPER-204).
export { listReviews, type ReviewLine } from './review/store.ts'
export { OPEN_STATUSES } from './status/machine.ts'
