/** Finds documents that are missing, incomplete or too old (chapter 11, 5.1 to 5.4). Pure. */
import { addMonths } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import {
  isOf,
  typesOf,
  type Document,
  type DocumentCategory,
  type DocumentType,
} from '../../documents/index.ts'
import { entryOf, type Party } from './packet.ts'
import type { ErrorEntry } from '../verification.ts'

const PROOF_OF_ADDRESS_MONTHS = 3
const TWO_SIDED: readonly DocumentType[] = ['DRIVERS_LICENSE', 'NATIONAL_ID']

const MISSING = {
  legalPresence: 'MISSING_LEGAL_PRESENCE_DOCUMENT',
  controlStructure: 'MISSING_CONTROL_STRUCTURE_DOCUMENT',
  ownershipStructure: 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
} as const

export const hasPaper = ({ documents }: Party, category: DocumentCategory): boolean =>
  documents.some(({ documentType }) => isOf(category, documentType))

export function needPaper(party: Party, category: keyof typeof MISSING): ErrorEntry[] {
  if (hasPaper(party, category)) return []
  const acceptedDocumentTypes = [...typesOf(category)]
  return [entryOf({ resourceId: party.id, type: MISSING[category], acceptedDocumentTypes })]
}

/** Two sides are matched by their stated data, not by their images. */
const isOtherSide = (one: Document, other: Document): boolean =>
  one.documentType === other.documentType &&
  one.country === other.country &&
  one.documentNumber === other.documentNumber &&
  one.side !== other.side

/**
 * Requires one complete document of these types. Single sides are named each; without any, the entry names the holder.
 */
export function needIdentity(party: Party, types: readonly DocumentType[]): ErrorEntry[] {
  const papers = party.documents.filter(({ documentType }) => types.includes(documentType))
  const halves = papers.filter(({ documentType }) => TWO_SIDED.includes(documentType))
  const isWhole = papers.length > halves.length
  if (isWhole || halves.some((one) => halves.some((other) => isOtherSide(one, other)))) return []
  if (halves.length === 0) {
    const type = 'MISSING_IDENTITY_DOCUMENT'
    return [entryOf({ resourceId: party.id, type, acceptedDocumentTypes: [...types] })]
  }
  return halves.map(({ id, documentType, side }) =>
    entryOf({
      resourceId: formatId('document', id),
      type: 'INCOMPLETE_DOCUMENT',
      acceptedDocumentTypes: [documentType],
      reason: `The ${side === 'FRONT' ? 'back' : 'front'} of this document is missing.`,
    }),
  )
}

/** A proof of address counts for three calendar months after its upload or latest replacement (KYB-8). */
export function needProofOfAddress(party: Party, now: Date): ErrorEntry[] {
  const acceptedDocumentTypes = [...typesOf('proofOfAddress')]
  const proofs = party.documents.filter(({ documentType }) => isOf('proofOfAddress', documentType))
  if (proofs.length === 0) {
    const type = 'MISSING_PROOF_OF_ADDRESS_DOCUMENT'
    return [entryOf({ resourceId: party.id, type, acceptedDocumentTypes })]
  }
  const isCurrent = ({ uploadedAt }: Document): boolean =>
    addMonths(uploadedAt, PROOF_OF_ADDRESS_MONTHS) >= now
  if (proofs.some(isCurrent)) return []
  return proofs.map(({ id }) =>
    entryOf({
      resourceId: formatId('document', id),
      type: 'EXPIRED_DOCUMENT',
      acceptedDocumentTypes,
      reason: 'This proof of address is older than three months.',
    }),
  )
}
