// Proofs, for whatever needs one
export type { ChallengeSubject, QuotePurpose, ScaChallenge, TrustPurpose } from './challenge.ts'
export { mustChooseFactor } from './choose-factor.ts'
export { issueChallenge } from './issue-challenge.ts'
export { judgeProof } from './judge-proof.ts'
export {
  findOpenChallenge,
  findPasskeyUse,
  refuseChallengeProof,
  useUpChallenge,
} from './pending-challenge.ts'
export { checkIpAddress, checkProof, endUserNote, proofOf, type Proof } from './proof.ts'
export { lockAnyCustomer, mustNeedSca, type ScaCustomer } from './sca-customer.ts'
export { ScaAuthorizationSchema, ScaChallengeSchema, TrustConfirmRequestSchema } from './schema.ts'
export { challengeToWire } from './wire.ts'

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
