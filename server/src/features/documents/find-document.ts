import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import type { Document } from './document.ts'
import { openDocument } from './sealed-document.ts'
import { findDocumentRow, listDocumentsOf } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform' | 'keyring'>

/** A document of the platform. Fails: REFERENCE_NOT_FOUND. */
export async function mustFindDocument(
  { tx, platform, keyring }: Reading,
  id: Id<'document'>,
): Promise<Document> {
  const row = (await findDocumentRow(tx, platform.id, id)) ?? failNotFound('document')
  return openDocument(keyring, row)
}

/** All documents of a customer and its owners, oldest first. */
export async function documentsOf(
  { tx, platform, keyring }: Reading,
  customerId: Id<'customer'>,
): Promise<Document[]> {
  const rows = await listDocumentsOf(tx, platform.id, customerId)
  return rows.map((row) => openDocument(keyring, row))
}
