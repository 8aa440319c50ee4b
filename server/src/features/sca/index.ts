// Proofs, for the features that need one
export type { QuotePurpose, ScaChallenge, TrustPurpose } from './challenges/challenge.ts'
export {
  availableFactors,
  CHALLENGE_LIFETIME_MS,
  mustChooseFactor,
  type ScaFactor,
} from './factors/factor.ts'
export {
  draftChallenge,
  issueChallenge,
  writeChallenge,
  type ChallengeMaker,
  type IssuedChallenge,
} from './challenges/issue-challenge.ts'
export { judgeProof } from './challenges/judge-proof.ts'
export { lockScaPayers, type ScaPayer } from './customers/lock-payers.ts'
export { mustBeUnlocked, refuseWrongProof } from './logins/failures.ts'
export {
  findOpenChallenge,
  findPasskeyUse,
  findQuoteChallenge,
  listChallengedQuotes,
  showQuoteChallenges,
  useUpChallenge,
} from './challenges/pending-challenge.ts'
export { checkIpAddress, checkProof, endUserNote, proofOf, type Proof } from './challenges/proof.ts'
export { resendCode } from './challenges/resend-code.ts'
export { lockAnyCustomer, mustNeedSca, type ScaCustomer } from './customers/sca-customer.ts'
export { ScaAuthorizationSchema, ScaChallengeSchema, TrustConfirmRequestSchema } from './schema.ts'
export { hasSession } from './customers/security-state.ts'
export { mustBeAvailable } from './logins/start-login.ts'
export { mustBeFreeToProveTrust, refuseTrustProof } from './challenges/trust-proof.ts'
export { challengeToWire } from './wire.ts'

// For the operator and the hosted page
export { moveReset, moveResetIfOpen } from './resets/move-reset.ts'
export {
  countResetReviews,
  findPlacedReset,
  findResetByLink,
  listResetReviews,
  type PlacedReset,
} from './resets/store.ts'
export { MAGIC_RESETS, statusAt } from './resets/reset.ts'
export type { ResetStatus } from './resets/machine.ts'

// Wired in app/
export { changePhoneFactor } from './factors/change-phone-factor.ts'
export { forgetCustomer } from './customers/forget-customer.ts'
export { scaJobs } from './jobs.ts'
export { routes } from './routes.ts'
