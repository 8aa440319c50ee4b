import { newId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { announceDocuments } from '../announce-documents.ts'
import type { Document } from '../document.ts'
import { lockHolder, parseHolder } from '../find-holder.ts'
import type { Inspected } from './inspect-upload.ts'
import { mustBeAcceptable } from './must-be-acceptable.ts'
import { sealNumber } from '../sealed-document.ts'
import type { DocumentUpload } from '../schema.ts'
import { insertDocument } from '../store.ts'
import { uploadedFields } from './uploaded-fields.ts'

/**
 * Stores a document of a customer or of one of its owners. A refusal stores nothing (DOC-9).
 * Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND, UNSUITABLE_DOCUMENT, DOCUMENT_REJECTED.
 */
export async function uploadDocument(
  work: Work,
  request: DocumentUpload,
  inspected: Inspected,
): Promise<Document> {
  const { tx, platform, keyring, now } = work
  const holder = parseHolder(request.documentHolder)
  const { customer, kind } = await lockHolder(work, holder)
  mustBeAcceptable(kind, { documentType: request.documentType, inspected })
  const document: Document = {
    id: newId('document'),
    holder,
    customerId: customer.id,
    ...uploadedFields(request, inspected, now),
    createdAt: now,
  }
  await Promise.all([
    request.file.keep(work),
    insertDocument(tx, platform.id, document, sealNumber(keyring, document)),
  ])
  await announceDocuments(work, customer)
  return document
}
