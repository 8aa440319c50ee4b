import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  idField,
  listOf,
  named,
  object,
  oneOf,
  pageQuery,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { optionalAll } from '../customers/index.ts'
import { DocumentTypeSchema } from '../documents/index.ts'
import { VerificationErrorTypeSchema } from './submission/error-types.ts'

const VERIFICATION_STATUSES = [
  'RESOLVE_ERRORS',
  'PENDING_MANUAL_REVIEW',
  'IN_PROGRESS',
  'APPROVED',
  'REJECTED',
  'READY_FOR_VERIFICATION',
] as const

const VerificationStatusSchema = named('VerificationStatus', oneOf(VERIFICATION_STATUSES))

export const VerificationErrorSchema = object('VerificationError', {
  resourceId: Type.String(),
  type: VerificationErrorTypeSchema,
  field: Type.Optional(Type.String()),
  acceptedDocumentTypes: Type.Optional(
    Type.Array(DocumentTypeSchema, { description: 'Uploading any one of them is enough.' }),
  ),
  reason: Type.String(),
})

const verificationFields = {
  id: Type.String(),
  customerId: Type.String(),
  verificationStatus: VerificationStatusSchema,
  errors: Type.Array(VerificationErrorSchema),
  createdAt: timestamp(),
  updatedAt: Type.Optional(timestamp()),
}

export const VerificationSchema = object('Verification', verificationFields)

export const VerificationRequestSchema = object('VerificationRequest', {
  customerId: idField('customer'),
})

const listed = listOf('VerificationListResponse', VerificationSchema, { total: true })

/** The list of one customer also shows its current verification at the top level (VER-14). */
export const VerificationListSchema = object('VerificationListResponse', {
  ...listed.properties,
  ...optionalAll(verificationFields),
})

export const VerificationListQuery = Type.Object({
  customerId: Type.Optional(idField('customer')),
  verificationStatus: Type.Optional(VerificationStatusSchema),
  ...pageQuery,
})

export const KycLinkCreateSchema = object('KycLinkCreateRequest', {
  redirectUri: Type.Optional(
    Type.String({
      format: 'url',
      maxLength: 2048,
    }),
  ),
})

export const KycLinkSchema = object('KycLinkResponse', {
  kycUrl: Type.String(),
  expiresAt: timestamp(),
  provider: named('KycProvider', oneOf(['SUMSUB'])),
  token: Type.Optional(Type.String()),
})

export type VerificationBody = Static<typeof VerificationSchema>
export type VerificationListFilters = Static<typeof VerificationListQuery>
