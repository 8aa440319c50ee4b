/** Entries of reviewers, and when one is resolved (VER-11). */
import { blindIndex, blindIndexes } from '../../../crypto/blind-index.ts'
import type { Keyring } from '../../../crypto/seal.ts'
import { formatId } from '../../../kernel/ids.ts'
import { valueAt } from '../../customers/index.ts'
import type { Document } from '../../documents/index.ts'
import { ERROR_TYPES } from '../submission/error-types.ts'
import { documentsIn, partyOf, type Packet } from '../submission/packet.ts'
import type { ErrorEntry, ReviewerEntry } from '../verification.ts'

const PURPOSE = 'verification-field'

const documentOf = (packet: Packet, { resourceId }: ErrorEntry): Document | undefined =>
  documentsIn(packet).find(({ id }) => formatId('document', id) === resourceId)

const fieldText = (packet: Packet, entry: ErrorEntry): string =>
  JSON.stringify(valueAt(partyOf(packet, entry.resourceId).record, entry.field ?? '') ?? null)

/** Files of the types that resolve the entry, if uploaded after it. */
const acceptedFiles = (packet: Packet, entry: ErrorEntry): string[] =>
  partyOf(packet, entry.resourceId)
    .documents.filter(({ documentType }) => entry.acceptedDocumentTypes?.includes(documentType))
    .map(({ fileId }) => fileId)

/** Owners that resolve the entry, if registered after it. */
const persons = ({ owners }: Packet, { type }: ErrorEntry): string[] =>
  owners
    .filter(
      ({ owner }) => type !== 'MISSING_CONTROL_PERSON' || owner.roles.includes('CONTROL_PERSON'),
    )
    .map(({ id }) => id)

/** Adds the present state to an entry, from which a later change shows that it was resolved. */
export function toReviewerEntry(
  keyring: Keyring,
  packet: Packet,
  entry: ErrorEntry,
): ReviewerEntry {
  const { about } = ERROR_TYPES[entry.type].nature
  if (about === 'field') {
    const value = blindIndex(keyring, PURPOSE, fieldText(packet, entry)).toString('hex')
    return { entry, seen: { value } }
  }
  if (about === 'person') return { entry, seen: { ownerIds: persons(packet, entry) } }
  const own = documentOf(packet, entry)
  const fileIds = [...acceptedFiles(packet, entry), ...(own ? [own.fileId] : [])]
  return { entry, seen: { fileIds: [...new Set(fileIds)] } }
}

/** The entries that are not resolved yet. */
export const outstandingEntries = (
  keyring: Keyring,
  packet: Packet,
  entries: readonly ReviewerEntry[],
): readonly ReviewerEntry[] => entries.filter((entry) => isOutstanding(keyring, packet, entry))

function isOutstanding(keyring: Keyring, packet: Packet, { entry, seen }: ReviewerEntry): boolean {
  const { nature } = ERROR_TYPES[entry.type]
  if (nature.about === 'field') {
    const now = blindIndexes(keyring, PURPOSE, fieldText(packet, entry))
    return now.some((digest) => digest.toString('hex') === seen.value)
  }
  if (nature.about === 'person') {
    return persons(packet, entry).every((id) => seen.ownerIds?.includes(id))
  }
  const isNew = (fileId: string): boolean => !seen.fileIds?.includes(fileId)
  const isOnDocument = entry.resourceId.startsWith('Document:')
  const document = documentOf(packet, entry)
  if (isOnDocument && (!document || isNew(document.fileId))) return false
  const isCurable = !isOnDocument || (nature.about === 'paper' && nature.superseded)
  return !(isCurable && acceptedFiles(packet, entry).some(isNew))
}
