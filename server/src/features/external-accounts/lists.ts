// The reads of list commands, without use-cases and routes, so that a command loads no more than these (OPER-204).
export { listOwnershipReviews, type OwnershipReview } from './ownership/store.ts'
export { nameHolder } from './records/sealing.ts'
