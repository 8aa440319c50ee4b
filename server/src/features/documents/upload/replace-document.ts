import type { Id } from '../../../kernel/ids.ts'
import { eraseFile } from '../../../infra/files/erase-file.ts'
import type { Work } from '../../../infra/work/work.ts'
import { announceDocuments } from '../announce-documents.ts'
import type { Document } from '../document.ts'
import { mustFindDocument } from '../find-document.ts'
import { lockHolder } from '../find-holder.ts'
import type { Inspected } from './inspect-upload.ts'
import { mustBeAcceptable } from './must-be-acceptable.ts'
import { sealNumber } from '../sealed-document.ts'
import type { DocumentReplacement } from '../schema.ts'
import { saveDocument } from '../store.ts'
import { uploadedFields } from './uploaded-fields.ts'

/**
 * Replaces the file of a document and its data; id, holder and creation stay (DOC-11). A refusal changes nothing.
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND where the customer is deleted, CONFLICT while a verification uses it,
 * UNSUITABLE_DOCUMENT, DOCUMENT_REJECTED.
 */
export async function replaceDocument(
  work: Work,
  {
    id,
    request,
    inspected,
  }: { id: Id<'document'>; request: DocumentReplacement; inspected: Inspected },
): Promise<Document> {
  const { tx, platform, keyring, now } = work
  const { holder } = await mustFindDocument(work, id)
  const { customer, kind } = await lockHolder(work, holder)
  const before = await mustFindDocument(work, id)
  await work.react('documents.changing', { customerId: customer.id, documentId: id })
  mustBeAcceptable(kind, { documentType: request.documentType, inspected })
  const document: Document = {
    ...before,
    ...uploadedFields(request, inspected, now),
  }
  await Promise.all([
    request.file.keep(work),
    saveDocument(tx, platform.id, document, sealNumber(keyring, document)),
  ])
  eraseFile(work, before.fileId)
  await announceDocuments(work, customer)
  return document
}
