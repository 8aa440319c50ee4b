/** What `review show` answers, read for the screen. */
import { rowsOf, type Row } from '../../ask.ts'
import { textIn, valueIn } from '../../cells.ts'

/** Of a person, a company, or an owner. */
export const nameOf = (row: unknown): string => {
  const of = valueIn(row, 'customer') ?? row
  return (
    textIn(of, 'fullName') ||
    textIn(of, 'businessInfo', 'legalName') ||
    [textIn(of, 'personalInfo', 'firstName'), textIn(of, 'personalInfo', 'lastName')]
      .filter(Boolean)
      .join(' ') ||
    textIn(of, 'id')
  )
}

export const customerIdOf = (row: Row): string => textIn(row, 'customer', 'id')
export const statusOf = (row: Row): string =>
  textIn(row, 'customer', 'kycStatus') || textIn(row, 'customer', 'kybStatus')
export const verificationStatusOf = (row: Row): string =>
  textIn(row, 'verification', 'verificationStatus')

export const peopleOf = (row: Row): readonly Row[] => rowsOf(row['beneficialOwners'])
export const papersOf = (row: Row): readonly Row[] => rowsOf(row['documents'])

const isOpen = (row: Row): boolean =>
  ['RESOLVE_ERRORS', 'IN_PROGRESS', 'PENDING_MANUAL_REVIEW'].includes(verificationStatusOf(row))

export const isUnderReview = (row: Row): boolean =>
  ['IN_PROGRESS', 'PENDING_MANUAL_REVIEW'].includes(verificationStatusOf(row))

/** Opened for owners whom the submission does not cover (KYB-11); the business itself is decided. */
export const isOwnerReview = (row: Row): boolean => row['isOwnerReview'] === true && isOpen(row)

const isOutside = (row: Row, owner: Row): boolean =>
  (valueIn(row, 'ownerIds') as readonly unknown[]).includes(owner['id'])

/** Owners who were added or changed after the submission. */
export const outsideOf = (row: Row): readonly Row[] =>
  peopleOf(row).filter((owner) => isOutside(row, owner))

/** Chapter 11, section 9: under review, pending without a verification, or on hold. */
export const isDecidable = (row: Row): boolean =>
  !isOwnerReview(row) &&
  (isUnderReview(row) || statusOf(row) === 'HOLD' || (statusOf(row) === 'PENDING' && !isOpen(row)))

export const isDecided = (row: Row): boolean =>
  !['PENDING', 'HOLD'].includes(statusOf(row)) && !isOwnerReview(row)
