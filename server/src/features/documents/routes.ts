import { Type } from '../../infra/http/schema/type.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { noContent, reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { checkDocument } from './upload/check-document.ts'
import { deleteDocument } from './delete-document.ts'
import { mustFindDocument } from './find-document.ts'
import { inspectUpload } from './upload/inspect-upload.ts'
import { listDocuments } from './list-documents.ts'
import { replaceDocument } from './upload/replace-document.ts'
import {
  DocumentListQuery,
  DocumentListSchema,
  DocumentReplaceSchema,
  DocumentSchema,
  DocumentUploadSchema,
  FILE_BYTES_MAX,
} from './schema.ts'
import { uploadDocument } from './upload/upload-document.ts'
import { documentToWire } from './wire.ts'

const tag = 'Documents'
const params = Type.Object({ documentId: pathId('Id of the document, `Document:<uuid>`.') })

const EXAMPLE = {
  documentType: 'PASSPORT',
  country: 'US',
  documentNumber: 'X1234567',
  issuingAuthority: 'Department of State',
}

const upload = {
  needs: 'MANAGE',
  form: { fileBytesMax: FILE_BYTES_MAX },
  // The answer contains the number of the document.
  sealStoredReply: true,
} as const

export const routes: readonly Operation[] = [
  write({
    id: 'uploadDocument',
    method: 'POST',
    path: '/documents',
    tag,
    ...upload,
    summary: 'Upload a document',
    description:
      'Of a customer or a beneficial owner. A photo has to be sharp, in color and show all corners of the document; what is wrong with it, and what to do, is in the details of a 422.',
    body: DocumentUploadSchema,
    example: { documentHolder: 'Customer:01994a5e-7c00-7000-8000-000000000001', ...EXAMPLE },
    replies: { 201: DocumentSchema },
    errors: [
      'UNSUITABLE_DOCUMENT',
      'USER_NOT_FOUND',
      'REFERENCE_NOT_FOUND',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'DOCUMENT_REJECTED',
    ],
    check: ({ body }) => checkDocument(body),
    lookUp: ({ deps: { files }, platform, body }) => inspectUpload({ files, platform }, body),
    handler: async ({ work, body, found }) =>
      reply(201, documentToWire(await uploadDocument(work, body, found))),
  }),
  read({
    id: 'listDocuments',
    path: '/documents',
    tag,
    needs: 'VIEW',
    summary: 'List documents',
    description: 'Newest first; of one holder, or all of the platform.',
    query: DocumentListQuery,
    replies: { 200: DocumentListSchema },
    errors: ['USER_NOT_FOUND', 'REFERENCE_NOT_FOUND'],
    handler: async ({ work, query }) => {
      const page = await listDocuments(work, query)
      return reply(200, { ...page, data: page.data.map(documentToWire) })
    },
  }),
  read({
    id: 'getDocument',
    path: '/documents/{documentId}',
    tag,
    needs: 'VIEW',
    summary: 'Read what is known of a document',
    description: 'Kind, holder and data of the document; its bytes are never answered.',
    params,
    replies: { 200: DocumentSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params: { documentId } }) =>
      reply(200, documentToWire(await mustFindDocument(work, mustParseId('document', documentId)))),
  }),
  write({
    id: 'replaceDocument',
    method: 'PUT',
    path: '/documents/{documentId}',
    tag,
    ...upload,
    summary: 'Replace a document',
    description: 'File and data, under the same id and holder. Refused while it is under review.',
    params,
    body: DocumentReplaceSchema,
    example: EXAMPLE,
    replies: { 200: DocumentSchema },
    errors: [
      'UNSUITABLE_DOCUMENT',
      'USER_NOT_FOUND',
      'REFERENCE_NOT_FOUND',
      'CONFLICT',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'DOCUMENT_REJECTED',
    ],
    settlesAtOnce: true,
    check: ({ body }) => checkDocument(body),
    lookUp: ({ deps: { files }, platform, body }) => inspectUpload({ files, platform }, body),
    handler: async ({ work, params: { documentId }, body, found }) => {
      const id = mustParseId('document', documentId)
      const document = await replaceDocument(work, { id, request: body, inspected: found })
      return reply(200, documentToWire(document))
    },
  }),
  write({
    id: 'deleteDocument',
    method: 'DELETE',
    path: '/documents/{documentId}',
    tag,
    needs: 'MANAGE',
    summary: 'Delete a document',
    description: 'Its bytes are erased. Refused while it is under review, or was decided upon.',
    params,
    replies: { 204: null },
    errors: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND', 'CONFLICT'],
    settlesAtOnce: true,
    handler: async ({ work, params: { documentId } }) => {
      await deleteDocument(work, mustParseId('document', documentId))
      return noContent()
    },
  }),
]
