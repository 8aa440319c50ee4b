// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { listReviews, type ReviewLine } from './review/store.ts'
