// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { listOwnershipReviews, type OwnershipReview } from './ownership/store.ts'
export { nameHolder } from './records/sealing.ts'
