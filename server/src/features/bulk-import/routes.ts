import { Type } from '../../infra/http/schema/type.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { formatId, mustParseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { valueAt } from '../customers/index.ts'
import { FILE_BYTES_MAX } from './bulk-import.ts'
import { mustFindImport } from './find-import.ts'
import { BulkAcceptedSchema, BulkImportSchema, BulkUploadSchema } from './schema.ts'
import { startImport } from './start-import.ts'
import { bulkImportToWire } from './wire.ts'

const tag = 'Customers'

/** The schema requires the part; this check requires content (BULK-2). */
const checkFile = (body: unknown): FieldError[] =>
  valueAt(body, 'file.bytes') === 0 ? [{ field: 'file', message: 'must not be empty' }] : []

export const routes: readonly Operation[] = [
  write({
    id: 'uploadCustomersCsv',
    method: 'POST',
    path: '/customers/bulk/csv',
    tag,
    needs: 'MANAGE',
    summary: 'Import customers from a CSV file',
    description:
      'Columns `umaAddress`, `platformCustomerId`, `customerType`, `addressLine1`, `addressLine2`, `city`, `state`, `postalCode`, `country`, `email`; of individuals `fullName`, `birthDate`; of businesses `businessLegalName`, `businessRegistrationNumber`, `businessTaxId`. The rows are imported in the background; a row that fails stops no other. BULK_UPLOAD.COMPLETED or BULK_UPLOAD.FAILED tells the end.',
    form: { fileBytesMax: FILE_BYTES_MAX },
    body: BulkUploadSchema,
    replies: { 202: BulkAcceptedSchema },
    errors: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    check: ({ body }) => checkFile(body),
    handler: async ({ work, body: { file } }) => {
      const { id } = await startImport(work, file)
      return reply(202, { jobId: formatId('job', id), status: 'PENDING' })
    },
  }),
  read({
    id: 'getBulkCustomerImportJob',
    path: '/customers/bulk/jobs/{jobId}',
    tag,
    needs: 'VIEW',
    summary: 'Read how far an import is',
    description: 'Rows tried, imported and refused so far, with the first thousand errors.',
    params: Type.Object({ jobId: pathId('Id of the import, `Job:<uuid>`.') }),
    replies: { 200: BulkImportSchema },
    errors: ['BULK_UPLOAD_JOB_NOT_FOUND'],
    handler: async ({ work, params: { jobId } }) => {
      const { found, errors } = await mustFindImport(work, mustParseId('job', jobId))
      return reply(200, bulkImportToWire(found, errors))
    },
  }),
]
