import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  filePart,
  listOf,
  object,
  oneOf,
  pageQuery,
  text,
  timestamp,
  UUID,
} from '../../infra/http/schema/wire-schema.ts'
import { SIDES } from './document.ts'
import { DocumentTypeSchema } from './document-types.ts'

/** A file of exactly this size is accepted (DOC-7). */
export const FILE_BYTES_MAX = 10_485_760

const holderId = Type.String({
  pattern: `^(Customer|BeneficialOwner):${UUID}$`,
})

const side = oneOf(SIDES, {
  description: 'Required for `DRIVERS_LICENSE` and `NATIONAL_ID`; a `PASSPORT` has no `BACK`.',
})

const fileParts = {
  documentType: DocumentTypeSchema,
  country: Type.String({ format: 'iso3166-1-alpha-2' }),
  file: filePart(
    'A PDF, JPEG or PNG of at most 10 MiB; a photo sharp, in color, all corners seen.',
  ),
  side: Type.Optional(side),
  documentNumber: Type.Optional(text(64, 'Required for identity documents.')),
  issuingAuthority: Type.Optional(text(255, 'Required for identity documents.')),
}

export const DocumentUploadSchema = object('DocumentUploadRequest', {
  documentHolder: holderId,
  ...fileParts,
})

export const DocumentReplaceSchema = object('DocumentReplaceRequest', fileParts)

export const DocumentSchema = object('Document', {
  id: Type.String(),
  documentHolder: Type.String(),
  documentType: DocumentTypeSchema,
  side: Type.Optional(oneOf(SIDES)),
  country: Type.String(),
  documentNumber: Type.Optional(Type.String()),
  issuingAuthority: Type.Optional(Type.String()),
  fileName: Type.String(),
  createdAt: timestamp(),
  updatedAt: Type.Optional(timestamp()),
})

export const DocumentListSchema = listOf('DocumentListResponse', DocumentSchema, { total: true })

export const DocumentListQuery = Type.Object({
  documentHolder: Type.Optional(holderId),
  ...pageQuery,
})

export type DocumentUpload = Static<typeof DocumentUploadSchema>
export type DocumentReplacement = Static<typeof DocumentReplaceSchema>
export type DocumentListFilters = Static<typeof DocumentListQuery>
export type DocumentBody = Static<typeof DocumentSchema>
