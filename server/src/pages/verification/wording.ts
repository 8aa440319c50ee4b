// data table
/** Labels of the API's values: types of documents, roles, kinds of business. */
import type { DocumentType } from '../../features/documents/index.ts'

export type Option = Readonly<{ value: string; label: string }>

export const DOCUMENT_LABELS: Readonly<Record<DocumentType, string>> = {
  PASSPORT: 'Passport',
  DRIVERS_LICENSE: 'Driving licence',
  NATIONAL_ID: 'National identity card',
  PROOF_OF_ADDRESS: 'Proof of address',
  BANK_STATEMENT: 'Bank statement',
  TAX_RETURN: 'Tax return',
  CERTIFICATE_OF_INCORPORATION: 'Certificate of incorporation',
  ARTICLES_OF_INCORPORATION: 'Articles of incorporation',
  ARTICLES_OF_ASSOCIATION: 'Articles of association',
  STATE_REGISTRY_EXCERPT: 'Excerpt from the state registry',
  GOOD_STANDING_CERTIFICATE: 'Certificate of good standing',
  INFORMATION_STATEMENT: 'Information statement',
  INCUMBENCY_CERTIFICATE: 'Certificate of incumbency',
  BUSINESS_LICENSE: 'Business licence',
  SHAREHOLDER_REGISTER: 'Register of shareholders',
  POWER_OF_ATTORNEY: 'Power of attorney',
  UTILITY_BILL: 'Utility bill',
  ELECTRICITY_BILL: 'Electricity bill',
  RENT_OR_LEASE_AGREEMENT: 'Rent or lease agreement',
  DIRECTOR_REGISTRY: 'Register of directors',
  TRUST_AGREEMENT: 'Trust agreement',
  STATE_COMPANY_REGISTRY: 'Excerpt from the company registry',
  PARTNERSHIP_CONTROL_AGREEMENT: 'Partnership control agreement',
  PARTNERSHIP_AGREEMENT: 'Partnership agreement',
  SELFIE: 'Photo of your face',
  OTHER: 'Another document',
}

/** The purpose of a missing document, by the type of the requirement. */
export const PAPER_TITLES: Readonly<Record<string, string>> = {
  MISSING_IDENTITY_DOCUMENT: 'Identity document',
  MISSING_LEGAL_PRESENCE_DOCUMENT: 'Proof that the business exists',
  MISSING_CONTROL_STRUCTURE_DOCUMENT: 'Who controls the business',
  MISSING_OWNERSHIP_STRUCTURE_DOCUMENT: 'Who owns the business',
  MISSING_PROOF_OF_ADDRESS_DOCUMENT: 'Proof of address',
  MISSING_GOOD_STANDING_DOCUMENT: 'Certificate of good standing',
}

export const ROLES: readonly Option[] = [
  { value: 'UBO', label: 'Owns part of the business' },
  { value: 'CONTROL_PERSON', label: 'Controls the business: the one who runs or directs it' },
  { value: 'DIRECTOR', label: 'Director' },
  { value: 'COMPANY_OFFICER', label: 'Company officer' },
  { value: 'TRUSTEE', label: 'Trustee' },
  { value: 'GENERAL_PARTNER', label: 'General partner' },
]

export const ENTITY_TYPES: readonly Option[] = [
  { value: 'SOLE_PROPRIETORSHIP', label: 'Sole proprietorship' },
  { value: 'PARTNERSHIP', label: 'Partnership' },
  { value: 'LLC', label: 'Limited liability company (LLC)' },
  { value: 'CORPORATION', label: 'Corporation' },
  { value: 'S_CORPORATION', label: 'S corporation' },
  { value: 'NON_PROFIT', label: 'Non-profit' },
  { value: 'PUBLICLY_LISTED_COMPANY', label: 'Publicly listed company' },
  { value: 'TRUST', label: 'Trust' },
  { value: 'PRIVATE_FOUNDATION', label: 'Private foundation' },
  { value: 'CHARITY', label: 'Charity' },
  { value: 'OTHER', label: 'Other' },
]

export const US_NUMBERS: readonly Option[] = [
  { value: 'SSN', label: 'Social Security number (SSN)' },
  { value: 'ITIN', label: 'Individual Taxpayer Identification Number (ITIN)' },
]

export const OWNER_NUMBERS: readonly Option[] = [
  ...US_NUMBERS,
  { value: 'NON_US_TAX_ID', label: 'Tax, passport or identity number of another country' },
]
