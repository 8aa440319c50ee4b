import { failNotFound, mustParseId } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import { mustFindDocument, type Document } from '../../features/documents/index.ts'
import { findPlatformOfDocument } from '../../features/verifications/index.ts'
import { inAnyPlatform } from '../in-platform.ts'
import { visibleOwner } from '../access/visible-platforms.ts'

export type OpenDocument = Pick<Document, 'mediaType' | 'fileName'> & Readonly<{ bytes: Buffer }>

/** The file of a document, decrypted, for a reviewer to look at; leaves an audit entry. */
export async function openDocument(deps: Deps, documentId: string): Promise<OpenDocument> {
  const id = mustParseId('document', documentId)
  const owner =
    (await visibleOwner(deps, findPlatformOfDocument(deps.db.read, id))) ?? failNotFound('document')
  const of = { id: owner, action: 'review document', resource: documentId }
  const { fileId, mediaType, fileName } = await inAnyPlatform(deps, of, (work) =>
    mustFindDocument(work, id),
  )
  return {
    mediaType,
    fileName,
    bytes: Buffer.concat(await Array.fromAsync(deps.files.read(fileId))),
  }
}
