/** Types of documents, what they prove and who may hold them (chapter 11, 5.4). */
import { named, oneOf } from '../../infra/http/schema/wire-schema.ts'

export const DOCUMENT_TYPES = [
  'PASSPORT',
  'DRIVERS_LICENSE',
  'NATIONAL_ID',
  'PROOF_OF_ADDRESS',
  'BANK_STATEMENT',
  'TAX_RETURN',
  'CERTIFICATE_OF_INCORPORATION',
  'ARTICLES_OF_INCORPORATION',
  'ARTICLES_OF_ASSOCIATION',
  'STATE_REGISTRY_EXCERPT',
  'GOOD_STANDING_CERTIFICATE',
  'INFORMATION_STATEMENT',
  'INCUMBENCY_CERTIFICATE',
  'BUSINESS_LICENSE',
  'SHAREHOLDER_REGISTER',
  'POWER_OF_ATTORNEY',
  'UTILITY_BILL',
  'ELECTRICITY_BILL',
  'RENT_OR_LEASE_AGREEMENT',
  'DIRECTOR_REGISTRY',
  'TRUST_AGREEMENT',
  'STATE_COMPANY_REGISTRY',
  'PARTNERSHIP_CONTROL_AGREEMENT',
  'PARTNERSHIP_AGREEMENT',
  'SELFIE',
  'OTHER',
] as const

export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export const DocumentTypeSchema = named('DocumentType', oneOf(DOCUMENT_TYPES))

export type HolderKind = 'INDIVIDUAL' | 'BUSINESS' | 'OWNER'

export type DocumentCategory =
  | 'identity'
  | 'legalPresence'
  | 'controlStructure'
  | 'ownershipStructure'
  | 'proofOfAddress'
  | 'otherBusiness'
  | 'any'
  | 'face'

type Category = Readonly<{ types: readonly DocumentType[]; holders: readonly HolderKind[] }>

const EVERYBODY = ['INDIVIDUAL', 'BUSINESS', 'OWNER'] as const
const PEOPLE = ['INDIVIDUAL', 'OWNER'] as const

/** The types of each category, in the order in which they are requested. */
const CATEGORIES: Readonly<Record<DocumentCategory, Category>> = {
  identity: { types: ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'], holders: PEOPLE },
  legalPresence: {
    types: [
      'CERTIFICATE_OF_INCORPORATION',
      'ARTICLES_OF_INCORPORATION',
      'ARTICLES_OF_ASSOCIATION',
      'STATE_REGISTRY_EXCERPT',
    ],
    holders: ['BUSINESS'],
  },
  controlStructure: {
    types: [
      'DIRECTOR_REGISTRY',
      'TRUST_AGREEMENT',
      'STATE_COMPANY_REGISTRY',
      'PARTNERSHIP_CONTROL_AGREEMENT',
    ],
    holders: ['BUSINESS'],
  },
  ownershipStructure: {
    types: ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
    holders: ['BUSINESS'],
  },
  proofOfAddress: {
    types: [
      'UTILITY_BILL',
      'ELECTRICITY_BILL',
      'RENT_OR_LEASE_AGREEMENT',
      'BANK_STATEMENT',
      'TAX_RETURN',
    ],
    holders: EVERYBODY,
  },
  otherBusiness: {
    types: [
      'GOOD_STANDING_CERTIFICATE',
      'INFORMATION_STATEMENT',
      'INCUMBENCY_CERTIFICATE',
      'BUSINESS_LICENSE',
    ],
    holders: ['BUSINESS'],
  },
  any: { types: ['POWER_OF_ATTORNEY', 'OTHER'], holders: EVERYBODY },
  face: { types: ['SELFIE'], holders: PEOPLE },
}

/** The older name of a proof of address: accepted, never requested. */
const OLDER: DocumentType = 'PROOF_OF_ADDRESS'

/** The types of a category that are requested. */
export const typesOf = (category: DocumentCategory): readonly DocumentType[] =>
  CATEGORIES[category].types

export const isOf = (category: DocumentCategory, type: DocumentType): boolean =>
  typesOf(category).includes(type) || (category === 'proofOfAddress' && type === OLDER)

/** The types that a holder may upload, each once (DOC-5). */
export function typesFor(holder: HolderKind): readonly DocumentType[] {
  const categories = Object.values(CATEGORIES).filter(({ holders }) => holders.includes(holder))
  return [...new Set(categories.flatMap(({ types }) => types))]
}

export const maySubmit = (holder: HolderKind, type: DocumentType): boolean =>
  type === OLDER || typesFor(holder).includes(type)

/** Types that may replace a document: those of its category, or its own. */
export function alternativesTo(type: DocumentType): readonly DocumentType[] {
  const kinds = ['identity', 'legalPresence', 'controlStructure', 'ownershipStructure'] as const
  const kind = [...kinds, 'proofOfAddress' as const].find((category) => isOf(category, type))
  return kind ? typesOf(kind) : [type]
}
