/** Checks the error entries that a reviewer types in, and completes them with defaults. */
import { mustHaveNoErrors, type FieldError } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import { isObject } from '../../customers/index.ts'
import {
  alternativesTo,
  DOCUMENT_TYPES,
  maySubmit,
  typesOf,
  type DocumentType,
} from '../../documents/index.ts'
import {
  ERROR_TYPES,
  VERIFICATION_ERROR_TYPES,
  type VerificationErrorType,
} from '../submission/error-types.ts'
import { documentsIn, entryOf, kindOf, type Packet } from '../submission/packet.ts'
import type { ErrorEntry } from '../verification.ts'
import { isCorrectable } from './correctable-fields.ts'

export type EntryOptions = Readonly<{
  /** Final errors are allowed in a rejection only (VER-21). */
  isRejection: boolean
}>

/** Checks and completes all entries. Fails: INVALID_INPUT. */
export function completeEntries(
  packet: Packet,
  given: readonly unknown[],
  options: EntryOptions,
): ErrorEntry[] {
  const errors = checkEntries(packet, given, options)
  mustHaveNoErrors(errors)
  return given.map((entry) => completeEntry(packet, entry as TypedEntry))
}

/** All errors of the entries. */
export const checkEntries = (
  packet: Packet,
  given: readonly unknown[],
  options: EntryOptions,
): FieldError[] =>
  given.flatMap((entry, index) =>
    checkEntry(packet, entry, options).map((error) => ({
      ...error,
      field: error.field === '' ? `errors.${index}` : `errors.${index}.${error.field}`,
    })),
  )

type TypedEntry = Partial<Omit<ErrorEntry, 'type'>> & Readonly<{ type: VerificationErrorType }>

function completeEntry(packet: Packet, given: TypedEntry): ErrorEntry {
  const resourceId = given.resourceId ?? packet.applicant.id
  const types = given.acceptedDocumentTypes ?? acceptedTypes(packet, { ...given, resourceId })
  return entryOf({
    resourceId,
    type: given.type,
    ...(isAboutField(given.type) && given.field !== undefined && { field: given.field }),
    ...(types && { acceptedDocumentTypes: [...types] }),
    ...(given.reason !== undefined && { reason: given.reason }),
  })
}

const isAboutField = (type: VerificationErrorType): boolean =>
  ERROR_TYPES[type].nature.about === 'field'

function acceptedTypes(
  packet: Packet,
  { type, resourceId }: TypedEntry & { resourceId: string },
): readonly DocumentType[] | undefined {
  const { nature } = ERROR_TYPES[type]
  if (type === 'MISSING_GOOD_STANDING_DOCUMENT') return ['GOOD_STANDING_CERTIFICATE']
  if (nature.about === 'missing') return typesOf(nature.category)
  if (nature.about !== 'paper' && !(nature.about === 'outcome' && nature.paper)) return undefined
  const document = documentsIn(packet).find(({ id }) => formatId('document', id) === resourceId)
  if (document) return alternativesTo(document.documentType)
  return typesOf(kindOf(packet, resourceId) === 'BUSINESS' ? 'legalPresence' : 'identity')
}

function checkEntry(packet: Packet, entry: unknown, { isRejection }: EntryOptions): FieldError[] {
  if (!isObject(entry)) return [{ field: '', message: 'must be a JSON object' }]
  const type = VERIFICATION_ERROR_TYPES.find((known) => known === entry['type'])
  if (!type) {
    const constraint = { enum: VERIFICATION_ERROR_TYPES }
    return [{ field: 'type', constraint, message: 'must be a type of verification error' }]
  }
  if (!isRejection && ERROR_TYPES[type].nature.about === 'outcome') {
    return [{ field: 'type', message: `${type} goes with a rejection only` }]
  }
  const errors = [
    ...checkResource(packet, type, entry['resourceId']),
    ...checkField(type, entry['field']),
    ...checkTypes(entry['acceptedDocumentTypes']),
    ...checkReason(entry['reason']),
  ]
  if (errors.length > 0 || isRejection) return errors
  return checkResolvable(packet, completeEntry(packet, entry as TypedEntry))
}

/** Refuses an entry that the platform cannot resolve: it would stay outstanding forever (VER-11). */
function checkResolvable(
  packet: Packet,
  { type, resourceId, field, acceptedDocumentTypes = [] }: ErrorEntry,
): FieldError[] {
  const kind = kindOf(packet, resourceId)
  if (ERROR_TYPES[type].nature.about === 'person' && kind !== 'BUSINESS') {
    return [{ field: 'type', message: `${type} is for businesses only` }]
  }
  if (field !== undefined && !isCorrectable(kind, field)) {
    return [{ field: 'field', message: 'is no field that the platform can change' }]
  }
  const message = 'must be documents that this holder can upload'
  return acceptedDocumentTypes.every((type) => maySubmit(kind, type))
    ? []
    : [{ field: 'acceptedDocumentTypes', message }]
}

function checkResource(
  packet: Packet,
  type: VerificationErrorType,
  resourceId: unknown,
): FieldError[] {
  if (resourceId === undefined) return []
  const { about } = ERROR_TYPES[type].nature
  const people = [packet.applicant.id, ...packet.owners.map(({ id }) => id)]
  const papers = documentsIn(packet).map(({ id }) => formatId('document', id))
  const isPaper = about === 'paper' || type === 'SUSPECTED_FRAUD_DOCUMENT'
  const known = about === 'person' ? [packet.applicant.id] : [...people, ...(isPaper ? papers : [])]
  if (known.includes(resourceId as string)) return []
  return [{ field: 'resourceId', message: 'is nothing of this customer that can have this error' }]
}

function checkField(type: VerificationErrorType, field: unknown): FieldError[] {
  if (!isAboutField(type) || (typeof field === 'string' && /^[\w.]+$/.test(field))) return []
  return [{ field: 'field', message: `is required for ${type}, as in address.postalCode` }]
}

function checkTypes(types: unknown): FieldError[] {
  if (types === undefined) return []
  const isKnown = (type: unknown): boolean => DOCUMENT_TYPES.some((known) => known === type)
  if (Array.isArray(types) && types.length > 0 && types.every(isKnown)) return []
  const constraint = { enum: DOCUMENT_TYPES }
  return [
    { field: 'acceptedDocumentTypes', constraint, message: 'must be a list of document types' },
  ]
}

const checkReason = (reason: unknown): FieldError[] =>
  reason === undefined || (typeof reason === 'string' && reason.trim() !== '')
    ? []
    : [{ field: 'reason', message: 'must be a sentence' }]
