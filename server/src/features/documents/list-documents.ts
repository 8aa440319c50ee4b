import { toWireTime } from '../../kernel/clock.ts'
import type { Page } from '../../kernel/page.ts'
import { openPage } from '../../infra/http/paging.ts'
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
  const paging = openPage(work, { list: 'documents', query, filters: { documentHolder } })
  const holder = documentHolder === undefined ? undefined : parseHolder(documentHolder)
  if (holder) await mustFindHolder(work, holder)
  const [createdAt = '', id = ''] = paging.after ?? []
  const after = paging.after && { createdAt, id }
  const [rows, totalCount] = await Promise.all([
    listDocumentPage(tx, platform.id, { holder, after, fetch: paging.fetch }),
    countDocuments(tx, platform.id, holder),
  ])
  const page = paging.page(rows, {
    item: (row) => openDocument(keyring, row),
    position: (row) => [toWireTime(row.createdAt), row.id],
  })
  return { ...page, totalCount }
}
