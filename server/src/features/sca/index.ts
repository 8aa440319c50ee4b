// For the operator and the hosted page
export { moveReset } from './move-reset.ts'
export {
  findPlacedReset,
  findResetByLink,
  listResetReviews,
  type PlacedReset,
  type ResetReview,
} from './reset-store.ts'
export { statusAt } from './reset.ts'
export type { ResetStatus } from './reset-machine.ts'

// Wired in app/
export { forgetCustomer } from './forget-customer.ts'
export { scaJobs } from './jobs.ts'
export { routes } from './routes.ts'
