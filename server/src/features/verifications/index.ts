export { isNoUsPerson } from './check-packet.ts'
export { decideReview } from './decide-review.ts'
export { ERROR_TYPES, VERIFICATION_ERROR_TYPES } from './error-types.ts'
export { escalateReview } from './escalate-review.ts'
export { countLinkInspection, countLinkRequest } from './count-link-request.ts'
export { findKycLink, lockBehindLink, mustBeOpenLink } from './find-kyc-link.ts'
export { holdCustomer } from './hold-customer.ts'
export { holdReviewAt, reviewStateOf } from './hold-review-at.ts'
export type { KycLink } from './kyc-link-store.ts'
export type { Review } from './lock-review.ts'
export { listVerifications } from './list-verifications.ts'
export { reviewOwners } from './owner-review.ts'
export { readRequirements } from './read-requirements.ts'
export { readStage, type Stage } from './read-stage.ts'
export { readReview } from './read-review.ts'
export { refuseDocumentChange } from './refuse-document-change.ts'
export { releaseCustomer } from './release-customer.ts'
export { returnReview } from './return-review.ts'
export {
  countReviews,
  findPlatformOfCustomer,
  findPlatformOfDocument,
  findPlatformOfVerification,
  listReviews,
  type ReviewLine,
} from './review-store.ts'
export { routes } from './routes.ts'
export { maskSnapshot } from './snapshot.ts'
export { submitByLink, type HostedSubmission } from './submit-by-link.ts'
export type { ErrorEntry } from './verification.ts'
export { verificationToWire } from './wire.ts'
