import { Type, type Static } from '../../infra/http/schema/type.ts'
import { filePart, object, oneOf, timestamp } from '../../infra/http/schema/wire-schema.ts'
import { BULK_IMPORT_STATUSES } from './machine.ts'

export const BulkUploadSchema = object('BulkCustomerUploadRequest', {
  file: filePart('CSV in UTF-8 with a header of column names, at most 100 MiB.'),
})

export const BulkAcceptedSchema = object('BulkCustomerImportJobAccepted', {
  jobId: Type.String(),
  status: oneOf(['PENDING', 'PROCESSING']),
})

const RowErrorSchema = object('BulkCustomerImportErrorEntry', {
  correlationId: Type.String(),
  code: Type.String(),
  message: Type.String(),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

export const BulkImportSchema = object('BulkCustomerImportJob', {
  id: Type.String(),
  status: oneOf(BULK_IMPORT_STATUSES),
  progress: object('BulkCustomerImportProgress', {
    total: Type.Integer(),
    processed: Type.Integer(),
    successful: Type.Integer(),
    failed: Type.Integer(),
  }),
  errors: Type.Optional(
    Type.Array(RowErrorSchema, { description: 'The first thousand, in the order of the file.' }),
  ),
  completedAt: Type.Optional(timestamp()),
})

export type BulkImportBody = Static<typeof BulkImportSchema>
