import type { Page } from '../../kernel/page.ts'
import { openPage, pageByCreation } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import type { Document } from './document.ts'
import { mustFindHolder, parseHolder } from './find-holder.ts'
import type { DocumentListFilters } from './schema.ts'
import { openDocument } from './sealed-document.ts'
import { countDocuments, listDocumentPage } from './store.ts'

/**
 * Documents of one holder, or all of the platform, newest first (DOC-14).
 * Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND, INVALID_INPUT on a cursor of another list.
 */
export async function listDocuments(
  work: Work,
  query: DocumentListFilters,
): Promise<Page<Document>> {
  const { tx, platform, keyring } = work
  const { documentHolder } = query
  const paging = openPage(work, { list: 'documents', query })
  const holder = documentHolder === undefined ? undefined : parseHolder(documentHolder)
  if (holder) await mustFindHolder(work, holder)
  const found = await pageByCreation(paging, {
    rows: (page) => listDocumentPage(tx, platform.id, { holder, ...page }),
    count: () => countDocuments(tx, platform.id, holder),
  })
  return { ...found, data: found.data.map((row) => openDocument(keyring, row)) }
}
