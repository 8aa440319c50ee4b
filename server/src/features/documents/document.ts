import type { Id } from '../../kernel/ids.ts'
import type { DocumentType } from './document-types.ts'

export const SIDES = ['FRONT', 'BACK'] as const
export type Side = (typeof SIDES)[number]

export type Holder =
  | Readonly<{ kind: 'customer'; id: Id<'customer'> }>
  | Readonly<{ kind: 'beneficialOwner'; id: Id<'beneficialOwner'> }>

export type MediaType = 'application/pdf' | 'image/jpeg' | 'image/png'

export type Document = Readonly<{
  id: Id<'document'>
  holder: Holder
  /** The holder, or the business that the holder owns. */
  customerId: Id<'customer'>
  documentType: DocumentType
  side: Side | undefined
  country: string
  documentNumber: string | undefined
  issuingAuthority: string | undefined
  fileName: string
  mediaType: MediaType
  /** The stored file; every replacement has another id. */
  fileId: string
  /** SHA-256 of the bytes, hex. */
  digest: string
  /** Time of the upload or the latest replacement. */
  uploadedAt: Date
  createdAt: Date
  updatedAt: Date
}>
