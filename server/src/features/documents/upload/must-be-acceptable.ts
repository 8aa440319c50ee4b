import { fail } from '../../../kernel/errors.ts'
import { maySubmit, typesFor, type DocumentType, type HolderKind } from '../document-types.ts'
import type { Inspected } from './inspect-upload.ts'

/** Fails: UNSUITABLE_DOCUMENT, DOCUMENT_REJECTED, or the code of the operator's inspector (DOC-5, DOC-10). */
export function mustBeAcceptable(
  holder: HolderKind,
  { documentType, inspected }: Readonly<{ documentType: DocumentType; inspected: Inspected }>,
): void {
  if (!maySubmit(holder, documentType)) {
    fail('UNSUITABLE_DOCUMENT', { documentType, acceptedDocumentTypes: typesFor(holder) })
  }
  const { rejection } = inspected
  if (rejection) fail(rejection.code, rejection.details)
}
