// What lists of the operator need, without use-cases and routes (OPER-204).
export { listReviews, type ReviewLine } from './review/store.ts'
