import type { Document } from '../document.ts'
import type { Inspected } from './inspect-upload.ts'
import type { DocumentReplacement } from '../schema.ts'

/** The fields that a document takes from its upload or replacement. */
export const uploadedFields = (
  request: DocumentReplacement,
  { mediaType }: Inspected,
  now: Date,
): Omit<Document, 'id' | 'holder' | 'customerId' | 'createdAt'> => ({
  documentType: request.documentType,
  side: request.side,
  country: request.country,
  documentNumber: request.documentNumber,
  issuingAuthority: request.issuingAuthority,
  fileName: request.file.fileName,
  mediaType,
  fileId: request.file.id,
  digest: request.file.digest,
  uploadedAt: now,
  updatedAt: now,
})
