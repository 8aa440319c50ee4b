import type { Id } from '../../kernel/ids.ts'
import type { PageByCreation } from '../../kernel/page.ts'
import { afterCreation, byCreation, countCapped } from '../../infra/db/list-rows.ts'
import { sql, when, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Document, Holder, MediaType, Side } from './document.ts'
import type { DocumentType } from './document-types.ts'

type PlatformId = Id<'platform'>

/** A document as stored, with its number sealed. */
export type DocumentRow = Readonly<{
  id: Id<'document'>
  holderKind: Holder['kind']
  holderId: string
  customerId: Id<'customer'>
  documentType: DocumentType
  side: Side | null
  country: string
  documentNumber: Buffer | null
  issuingAuthority: string | null
  fileName: string
  mediaType: MediaType
  fileId: string
  digest: Buffer
  uploadedAt: Date
  createdAt: Date
  updatedAt: Date
}>

const COLUMNS = sql`id, holder_kind, holder_id, customer_id, document_type, side, country, document_number,
  issuing_authority, file_name, media_type, file_id, digest, uploaded_at, created_at, updated_at`

export const findDocumentRow = (
  tx: Tx,
  platformId: PlatformId,
  id: Id<'document'>,
): Promise<DocumentRow | undefined> =>
  tx.find<DocumentRow>(
    sql`select ${COLUMNS} from documents where platform_id = ${platformId} and id = ${id}`,
  )

/** Documents of a customer and its owners, oldest first. */
export const listDocumentsOf = (
  tx: Tx,
  platformId: PlatformId,
  customerId: Id<'customer'>,
): Promise<DocumentRow[]> =>
  tx.many<DocumentRow>(
    sql`select ${COLUMNS} from documents where platform_id = ${platformId} and customer_id = ${customerId}
        order by created_at, id`,
  )

const matching = (platformId: PlatformId, holder: Holder | undefined): Sql[] => [
  sql`platform_id = ${platformId}`,
  ...when(holder, ({ id, kind }) => sql`holder_id = ${id} and holder_kind = ${kind}`),
]

/** Newest first. */
export function listDocumentPage(
  tx: Tx,
  platformId: PlatformId,
  { holder, after, fetch }: Readonly<{ holder: Holder | undefined }> & PageByCreation,
): Promise<DocumentRow[]> {
  const conditions = [...matching(platformId, holder), ...afterCreation(after)]
  return tx.many<DocumentRow>(
    sql`select ${COLUMNS} from documents where ${sql.and(conditions)}
        order by ${byCreation()} limit ${fetch}`,
  )
}

export const countDocuments = (
  tx: Tx,
  platformId: PlatformId,
  holder: Holder | undefined,
): Promise<number> => countCapped(tx, sql`documents where ${sql.and(matching(platformId, holder))}`)

const sealedColumns = (document: Document, documentNumber: Buffer | null) => ({
  documentNumber,
  digest: Buffer.from(document.digest, 'hex'),
})

/** Written immediately, like every change of a document, because a review that reacts to it reads all of them. */
export async function insertDocument(
  tx: Tx,
  platformId: PlatformId,
  document: Document,
  sealedNumber: Buffer | null,
): Promise<void> {
  const { documentNumber, digest } = sealedColumns(document, sealedNumber)
  await tx.run(
    sql`insert into documents (platform_id, id, holder_kind, holder_id, customer_id, document_type, side, country,
          document_number, issuing_authority, file_name, media_type, file_id, digest, uploaded_at, created_at,
          updated_at)
        values (${platformId}, ${document.id}, ${document.holder.kind}, ${document.holder.id}, ${document.customerId},
          ${document.documentType}, ${document.side ?? null}, ${document.country}, ${documentNumber},
          ${document.issuingAuthority ?? null}, ${document.fileName}, ${document.mediaType}, ${document.fileId},
          ${digest}, ${document.uploadedAt}, ${document.createdAt}, ${document.updatedAt})`,
  )
}

export async function saveDocument(
  tx: Tx,
  platformId: PlatformId,
  document: Document,
  sealedNumber: Buffer | null,
): Promise<void> {
  const { documentNumber, digest } = sealedColumns(document, sealedNumber)
  await tx.run(
    sql`update documents set document_type = ${document.documentType}, side = ${document.side ?? null},
          country = ${document.country}, document_number = ${documentNumber},
          issuing_authority = ${document.issuingAuthority ?? null}, file_name = ${document.fileName},
          media_type = ${document.mediaType}, file_id = ${document.fileId}, digest = ${digest},
          uploaded_at = ${document.uploadedAt}, updated_at = ${document.updatedAt}
        where platform_id = ${platformId} and id = ${document.id}`,
  )
}

export async function removeDocument(
  tx: Tx,
  platformId: PlatformId,
  id: Id<'document'>,
): Promise<void> {
  await tx.run(sql`delete from documents where platform_id = ${platformId} and id = ${id}`)
}
