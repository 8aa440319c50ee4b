import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockCustomer, type Customer } from '../../customers/index.ts'
import { mustBeOpenLink } from './find-kyc-link.ts'
import { lockKycLink, markLinkUsed, type KycLink } from './store.ts'
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
 * Submits for the applicant in the hosted flow, as POST /verifications; the link is spent unless something is missing
 * (KYC-24). A decided customer stays as it is (KYC-29).
 * Fails: KYC_LINK_USED, KYC_LINK_EXPIRED, CONFLICT while a contact channel is not verified.
 */
export async function submitByLink(
  work: Work,
  { id }: Pick<KycLink, 'id'>,
): Promise<HostedSubmission> {
  const { tx, platform, now } = work
  const link = await lockKycLink(tx, platform.id, id)
  invariant(link, 'a link is never removed')
  await mustBeOpenLink(work, link)
  const customer = await lockCustomer(work, link.customerId)
  const { status, errors } = isFinal(customer)
    ? await finalState(work, customer)
    : await submitVerification(work, customer.id)
  if (status !== 'RESOLVE_ERRORS') markLinkUsed(tx, platform.id, { id, usedAt: now })
  return { verificationStatus: status, errors, redirectUri: link.redirectUri ?? undefined }
}

async function finalState({ tx, platform }: Work, { id, status }: Customer) {
  const latest = await findLatestVerification(tx, platform.id, id)
  const decided: VerificationStatus = status === 'APPROVED' ? 'APPROVED' : 'REJECTED'
  return { status: decided, errors: latest?.status === decided ? latest.errors : [] }
}
