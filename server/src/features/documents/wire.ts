import { toWireTime } from '../../kernel/clock.ts'
import { maskGovernmentNumber } from '../../kernel/text/government-number.ts'
import { formatId } from '../../kernel/ids.ts'
import type { Document, Holder } from './document.ts'
import type { DocumentBody } from './schema.ts'

export const holderToWire = (holder: Holder): string =>
  holder.kind === 'customer'
    ? formatId('customer', holder.id)
    : formatId('beneficialOwner', holder.id)

/** The data of a document; the file itself is never answered (DOC-8). */
export function documentToWire(document: Document): DocumentBody {
  const { side, documentNumber, issuingAuthority } = document
  return {
    id: formatId('document', document.id),
    documentHolder: holderToWire(document.holder),
    documentType: document.documentType,
    ...(side !== undefined && { side }),
    country: document.country,
    ...(documentNumber !== undefined && { documentNumber }),
    ...(issuingAuthority !== undefined && { issuingAuthority }),
    fileName: document.fileName,
    createdAt: toWireTime(document.createdAt),
    updatedAt: toWireTime(document.updatedAt),
  }
}

/** The data of a document with its number masked, for operators. */
export function maskedDocumentToWire(document: Document): DocumentBody {
  const shown = documentToWire(document)
  if (shown.documentNumber === undefined) return shown
  return { ...shown, documentNumber: maskGovernmentNumber(shown.documentNumber) }
}
