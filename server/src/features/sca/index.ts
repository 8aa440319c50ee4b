// Proofs, for whatever needs one
export type { ChallengeSubject, QuotePurpose, ScaChallenge, TrustPurpose } from './challenge.ts'
export { mustChooseFactor } from './choose-factor.ts'
export { availableFactors, CHALLENGE_LIFETIME_MS, type ScaFactor } from './factor.ts'
export {
  draftChallenge,
  issueChallenge,
  writeChallenge,
  type ChallengeMaker,
  type IssuedChallenge,
} from './issue-challenge.ts'
export { judgeProof } from './judge-proof.ts'
export { lockScaPayers, type ScaPayer } from './lock-payers.ts'
export { mustBeUnlocked, refuseWrongProof } from './login.ts'
export {
  findOpenChallenge,
  findPasskeyUse,
  findQuoteChallenge,
  listChallengedQuotes,
  refuseTrustProof,
  useUpChallenge,
} from './pending-challenge.ts'
export { checkIpAddress, checkProof, endUserNote, proofOf, type Proof } from './proof.ts'
export { resendCode } from './resend-code.ts'
export { lockAnyCustomer, mustNeedSca, type ScaCustomer } from './sca-customer.ts'
export { ScaAuthorizationSchema, ScaChallengeSchema, TrustConfirmRequestSchema } from './schema.ts'
export { hasSession } from './security-state.ts'
export { showQuoteChallenges } from './show-challenge.ts'
export { mustBeAvailable } from './start-login.ts'
export { mustBeFreeToProveTrust } from './trust-failures.ts'
export { challengeToWire } from './wire.ts'

// For the operator and the hosted page
export { moveReset, moveResetIfOpen } from './move-reset.ts'
export {
  countResetReviews,
  findPlacedReset,
  findResetByLink,
  listResetReviews,
  type PlacedReset,
  type ResetReview,
} from './reset-store.ts'
export { statusAt } from './reset.ts'
export type { ResetStatus } from './reset-machine.ts'

// Wired in app/
export { changePhoneFactor } from './change-phone-factor.ts'
export { forgetCustomer } from './forget-customer.ts'
export { scaJobs } from './jobs.ts'
export { routes } from './routes.ts'
