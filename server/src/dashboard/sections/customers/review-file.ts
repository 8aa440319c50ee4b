/** What `review show` answers, read for the screen. */
import type { Answer } from '../../../operator/command.ts'
import type { reviewCommands } from '../../../operator/commands/customers/review.ts'
import { textIn } from '../../cells/cells.ts'

export type Review = Answer<typeof reviewCommands.show>
export type Owner = Review['beneficialOwners'][number]
export type Paper = Review['documents'][number]
type Customer = Review['customer']

/** What was submitted of a customer, an owner or a paper. */
export type Submitted = Readonly<Record<string, unknown>>

/** Of a person, a company, or an owner; what was submitted has the fields of what is shown. */
export function nameOf(of: Customer | Owner | Submitted): string {
  const shown = of as Customer | Owner
  return (
    textIn(shown, 'fullName') ||
    textIn(shown, 'businessInfo', 'legalName') ||
    [textIn(shown, 'personalInfo', 'firstName'), textIn(shown, 'personalInfo', 'lastName')]
      .filter(Boolean)
      .join(' ') ||
    textIn(shown, 'id')
  )
}

export const statusOf = ({ customer }: Readonly<{ customer: Customer }>) =>
  customer.customerType === 'INDIVIDUAL' ? customer.kycStatus : customer.kybStatus

export const verificationStatusOf = ({ verification }: Review): string =>
  verification?.verificationStatus ?? ''

const isOpen = (row: Review): boolean =>
  ['RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW'].includes(verificationStatusOf(row))

export const isUnderReview = (row: Review): boolean =>
  ['IN_PROGRESS', 'PENDING_MANUAL_REVIEW'].includes(verificationStatusOf(row))

/** Opened for owners whom the submission does not cover (KYB-11); the business itself is decided. */
export const isOwnerReview = (row: Review): boolean => row.isOwnerReview && isOpen(row)

/** Owners who were added or changed after the submission. */
export const outsideOf = ({ beneficialOwners, ownerIds }: Review): readonly Owner[] =>
  beneficialOwners.filter(({ id }) => ownerIds.includes(id))

/** Chapter 11, section 9: under review, pending without a verification, or on hold. */
export const isDecidable = (row: Review): boolean =>
  !isOwnerReview(row) &&
  (isUnderReview(row) || statusOf(row) === 'HOLD' || (statusOf(row) === 'PENDING' && !isOpen(row)))

export const isDecided = (row: Review): boolean =>
  !['PENDING', 'HOLD'].includes(statusOf(row)) && !isOwnerReview(row)
