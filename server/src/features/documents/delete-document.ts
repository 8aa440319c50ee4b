import type { Id } from '../../kernel/ids.ts'
import { eraseFile } from '../../infra/files/erase-file.ts'
import type { Work } from '../../infra/work/work.ts'
import { announceDocuments } from './announce-documents.ts'
import { mustFindDocument } from './find-document.ts'
import { lockHolder } from './find-holder.ts'
import { removeDocument } from './store.ts'

/**
 * Removes a document and erases its bytes (DOC-13).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND where the customer is deleted, CONFLICT while a verification uses it.
 */
export async function deleteDocument(work: Work, id: Id<'document'>): Promise<void> {
  const { tx, platform } = work
  const { holder } = await mustFindDocument(work, id)
  const { customer } = await lockHolder(work, holder)
  const { fileId } = await mustFindDocument(work, id)
  await work.react('documents.changing', { customerId: customer.id, documentId: id })
  await removeDocument(tx, platform.id, id)
  eraseFile(work, fileId)
  await announceDocuments(work, customer)
}
