/** Rules on an upload that a schema cannot state. Accepts unvalidated input; never throws. */
import type { FieldError } from '../../../kernel/errors.ts'
import type { Upload } from '../../../infra/http/input/upload.ts'
import { isObject, textAt, type CustomerRecord } from '../../customers/index.ts'
import { SIDES } from '../document.ts'
import { isOf, type DocumentType } from '../document-types.ts'
import { sniffMediaType } from './sniff-media-type.ts'

export const checkDocument = (parts: unknown): FieldError[] =>
  isObject(parts) ? [...identityNumber(parts), ...sideOfType(parts), ...fileOfKind(parts)] : []

/** Reviewers match an identity document by its number and issuer, so both are required (DOC-3). */
function identityNumber(parts: CustomerRecord): FieldError[] {
  if (!isOf('identity', textAt(parts, 'documentType') as DocumentType)) return []
  return ['documentNumber', 'issuingAuthority']
    .filter((field) => parts[field] === undefined)
    .map((field) => ({ field, message: 'is required for an identity document' }))
}

const TWO_SIDED = ['DRIVERS_LICENSE', 'NATIONAL_ID']

/** Licences and national ids are uploaded side by side; a passport has one page (DOC-4). */
function sideOfType(parts: CustomerRecord): FieldError[] {
  const [type = '', side] = [textAt(parts, 'documentType'), parts['side']]
  if (TWO_SIDED.includes(type) && side === undefined) {
    return [{ field: 'side', constraint: { enum: SIDES }, message: `is required for a ${type}` }]
  }
  if (type === 'PASSPORT' && side === 'BACK') {
    return [{ field: 'side', constraint: { enum: ['FRONT'] }, message: 'must be FRONT or absent' }]
  }
  return []
}

/** Aliases of media types. */
const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': 'application/pdf',
}

const isUpload = (value: unknown): value is Upload => isObject(value) && 'head' in value

/** The content decides the media type; a declared type that differs is refused (DOC-6). */
function fileOfKind({ file }: CustomerRecord): FieldError[] {
  if (!isUpload(file)) return []
  if (file.bytes === 0) return [{ field: 'file', message: 'must not be empty' }]
  const found = sniffMediaType(file.head())
  if (!found) return [{ field: 'file', message: 'must be a PDF, a JPEG or a PNG' }]
  const declared = file.declaredType && (ALIASES[file.declaredType] ?? file.declaredType)
  if (declared === undefined || declared === found) return []
  return [{ field: 'file', message: `is sent as ${declared} but holds ${found}` }]
}
