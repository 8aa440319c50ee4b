// What lists of the operator need, without use-cases and routes (OPER-204).
export { listOwnershipReviews, type OwnershipReview } from './ownership/store.ts'
export { nameHolder } from './records/sealing.ts'
