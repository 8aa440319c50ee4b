export { fetchProviderFile, findProviderFile } from './identity-check/fetch-document.ts'
export { identityChecks } from './identity-check/identity-check.ts'
export { renewDocumentLinks } from './identity-check/document-links.ts'
export { isForeignPerson } from './submission/check-packet.ts'
export { decideReview } from './review/decide-review.ts'
export { ERROR_TYPES, VERIFICATION_ERROR_TYPES } from './submission/error-types.ts'
export { escalateReview } from './review/escalate-review.ts'
export { countLinkInspection, countLinkRequest } from './kyc-link/count-link-request.ts'
export { findKycLink, lockLinkCustomer, mustBeOpenLink } from './kyc-link/find-kyc-link.ts'
export { raiseFlag, wasBlocked, type FlagLevel } from './review/flag-store.ts'
export { closeFlags, isFlagged, mustHaveNote } from './review/flags.ts'
export { dismissFlags } from './review/dismiss-flags.ts'
export { handToReviewer } from './review/hand-to-reviewer.ts'
export { holdCustomer } from './review/hold-customer.ts'
export { lockReviewIfUnchanged, reviewStateOf } from './review/lock-review-if-unchanged.ts'
export type { KycLink } from './kyc-link/store.ts'
export type { Review } from './review/lock-review.ts'
export { listVerifications } from './list-verifications.ts'
export { reviewOwners } from './owner-review/review-owners.ts'
export { readRequirements } from './submission/read-requirements.ts'
export { readStage, type Stage } from './submission/read-stage.ts'
export { readReview } from './review/read-review.ts'
export { refuseDocumentChange } from './submission/refuse-document-change.ts'
export { releaseCustomer } from './review/release-customer.ts'
export { returnReview } from './review/return-review.ts'
export {
  countReviews,
  findPlatformOfCustomer,
  findPlatformOfDocument,
  findPlatformOfVerification,
  listReviews,
  type ReviewLine,
} from './review/store.ts'
export { routes } from './routes.ts'
export { maskSnapshot } from './submission/snapshot.ts'
export { submitByLink, type HostedSubmission } from './kyc-link/submit-by-link.ts'
export type { ErrorEntry } from './verification.ts'
export { verificationToWire } from './wire.ts'
export { VerificationSchema } from './schema.ts'
