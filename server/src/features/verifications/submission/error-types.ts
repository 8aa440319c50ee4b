// data table
/** Types of errors of a submission (chapter 11, 5.5). */
import { named, oneOf } from '../../../infra/http/schema/wire-schema.ts'
import type { DocumentCategory } from '../../documents/index.ts'

export const VERIFICATION_ERROR_TYPES = [
  'MISSING_FIELD',
  'INVALID_FIELD',
  'MISSING_LEGAL_PRESENCE_DOCUMENT',
  'MISSING_CONTROL_STRUCTURE_DOCUMENT',
  'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
  'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
  'MISSING_IDENTITY_DOCUMENT',
  'INVALID_DOCUMENT',
  'EXPIRED_DOCUMENT',
  'POOR_QUALITY_DOCUMENT',
  'SUSPECTED_FRAUD_DOCUMENT',
  'WRONG_DOCUMENT_TYPE',
  'INCOMPLETE_DOCUMENT',
  'UNREADABLE_DOCUMENT',
  'DOCUMENT_VERIFICATION_FAILED',
  'APPLICANT_SANCTIONED',
  'APPLICANT_FRAUD',
  'APPLICANT_CRIMINAL_RECORD',
  'APPLICANT_REJECTED',
  'MISSING_BENEFICIAL_OWNER',
  'MISSING_CONTROL_PERSON',
  'MISSING_GOOD_STANDING_DOCUMENT',
] as const

export type VerificationErrorType = (typeof VERIFICATION_ERROR_TYPES)[number]

export const VerificationErrorTypeSchema = named(
  'VerificationErrorType',
  oneOf(VERIFICATION_ERROR_TYPES),
)

/**
 * `field`: a field is wrong. `missing`: a document of this category is required. `paper`: an uploaded document is
 * wrong; `superseded` if another document of its kind resolves it as well as a better copy. `person`: an owner has
 * to be registered. `outcome`: final.
 */
export type ErrorNature =
  | Readonly<{ about: 'field' }>
  | Readonly<{ about: 'missing'; category: DocumentCategory }>
  | Readonly<{ about: 'paper'; superseded: boolean }>
  | Readonly<{ about: 'person' }>
  | Readonly<{ about: 'outcome'; paper: boolean }>

type Row = Readonly<{ nature: ErrorNature; reason: string }>

export const ERROR_TYPES: Readonly<Record<VerificationErrorType, Row>> = {
  MISSING_FIELD: { nature: { about: 'field' }, reason: 'This field is needed and was not given.' },
  INVALID_FIELD: { nature: { about: 'field' }, reason: 'This field has to be corrected.' },
  MISSING_LEGAL_PRESENCE_DOCUMENT: {
    nature: { about: 'missing', category: 'legalPresence' },
    reason: 'A document is needed that shows that the business exists.',
  },
  MISSING_CONTROL_STRUCTURE_DOCUMENT: {
    nature: { about: 'missing', category: 'controlStructure' },
    reason: 'A document is needed that shows who controls the business.',
  },
  MISSING_OWNERSHIP_STRUCTURE_DOCUMENT: {
    nature: { about: 'missing', category: 'ownershipStructure' },
    reason: 'A document is needed that shows who owns the business.',
  },
  MISSING_PROOF_OF_ADDRESS_DOCUMENT: {
    nature: { about: 'missing', category: 'proofOfAddress' },
    reason: 'A proof of address of the last three months is needed.',
  },
  MISSING_IDENTITY_DOCUMENT: {
    nature: { about: 'missing', category: 'identity' },
    reason: 'An identity document is needed.',
  },
  MISSING_GOOD_STANDING_DOCUMENT: {
    nature: { about: 'missing', category: 'otherBusiness' },
    reason: 'A certificate of good standing is needed.',
  },
  MISSING_BENEFICIAL_OWNER: {
    nature: { about: 'person' },
    reason: 'The beneficial owners of the business have to be registered.',
  },
  MISSING_CONTROL_PERSON: {
    nature: { about: 'person' },
    reason: 'The person who controls the business has to be registered.',
  },
  INCOMPLETE_DOCUMENT: {
    nature: { about: 'paper', superseded: true },
    reason: 'A side or page of this document is missing.',
  },
  EXPIRED_DOCUMENT: {
    nature: { about: 'paper', superseded: true },
    reason: 'This document is too old.',
  },
  INVALID_DOCUMENT: {
    nature: { about: 'paper', superseded: true },
    reason: 'This document is not valid.',
  },
  WRONG_DOCUMENT_TYPE: {
    nature: { about: 'paper', superseded: true },
    reason: 'This is another document than it is said to be.',
  },
  DOCUMENT_VERIFICATION_FAILED: {
    nature: { about: 'paper', superseded: true },
    reason: 'This document could not be verified.',
  },
  POOR_QUALITY_DOCUMENT: {
    nature: { about: 'paper', superseded: false },
    reason: 'The image of this document is not good enough; replace it by a better one.',
  },
  UNREADABLE_DOCUMENT: {
    nature: { about: 'paper', superseded: false },
    reason: 'This document cannot be read; replace it by a better image.',
  },
  SUSPECTED_FRAUD_DOCUMENT: {
    nature: { about: 'outcome', paper: true },
    reason: 'This document was not accepted.',
  },
  APPLICANT_SANCTIONED: {
    nature: { about: 'outcome', paper: false },
    reason: 'The applicant is subject to sanctions.',
  },
  APPLICANT_FRAUD: {
    nature: { about: 'outcome', paper: false },
    reason: 'The applicant was not accepted.',
  },
  APPLICANT_CRIMINAL_RECORD: {
    nature: { about: 'outcome', paper: false },
    reason: 'The applicant was not accepted.',
  },
  APPLICANT_REJECTED: {
    nature: { about: 'outcome', paper: false },
    reason: 'The applicant was not accepted.',
  },
}
