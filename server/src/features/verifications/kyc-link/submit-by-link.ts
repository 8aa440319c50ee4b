import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../../customers/index.ts'
import { lockLinkCustomer } from './find-kyc-link.ts'
import { markLinkUsed, type KycLink } from './store.ts'
import type { VerificationStatus } from '../status/machine.ts'
import { findLatestVerification } from '../store.ts'
import { isFinal, submitVerification } from '../submission/submit-verification.ts'
import type { ErrorEntry } from '../verification.ts'

export type HostedSubmission = Readonly<{
  verificationStatus: VerificationStatus
  errors: readonly ErrorEntry[]
  redirectUri: string | undefined
}>

/**
 * Submits for the applicant in the hosted flow, as POST /verifications; the link is used up unless something is missing
 * (KYC-24). A decided customer does not change (KYC-29).
 * Fails: KYC_LINK_USED, KYC_LINK_EXPIRED, CONFLICT while a contact channel is not verified.
 */
export async function submitByLink(work: Work, link: KycLink): Promise<HostedSubmission> {
  const { tx, platform, now } = work
  const customer = await lockLinkCustomer(work, link)
  const { status, errors } = isFinal(customer)
    ? await finalState(work, customer)
    : await submitVerification(work, customer.id)
  if (status !== 'RESOLVE_ERRORS') markLinkUsed(tx, platform.id, { id: link.id, usedAt: now })
  return { verificationStatus: status, errors, redirectUri: link.redirectUri ?? undefined }
}

async function finalState({ tx, platform }: Work, { id, status }: Customer) {
  const latest = await findLatestVerification(tx, platform.id, id)
  const decided: VerificationStatus = status === 'APPROVED' ? 'APPROVED' : 'REJECTED'
  return { status: decided, errors: latest?.status === decided ? latest.errors : [] }
}
