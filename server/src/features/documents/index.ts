export { checkDocument } from './upload/check-document.ts'
export type { Document } from './document.ts'
export {
  alternativesTo,
  DOCUMENT_TYPES,
  DocumentTypeSchema,
  isOf,
  maySubmit,
  typesOf,
  type DocumentCategory,
  type DocumentType,
  type HolderKind,
} from './document-types.ts'
export { documentsOf, mustFindDocument } from './find-document.ts'
export { inspectUpload } from './upload/inspect-upload.ts'
export { replaceDocument } from './upload/replace-document.ts'
export { routes } from './routes.ts'
export { DocumentSchema, DocumentUploadSchema, FILE_BYTES_MAX } from './schema.ts'
export { uploadDocument } from './upload/upload-document.ts'
export { documentToWire, holderToWire, maskedDocumentToWire } from './wire.ts'
