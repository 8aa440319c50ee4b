import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import { processedOf, type BulkImport, type RowError } from './bulk-import.ts'
import type { BulkImportBody } from './schema.ts'

export function bulkImportToWire(one: BulkImport, errors: readonly RowError[]): BulkImportBody {
  const { id, status, total, successful, failed, completedAt } = one
  return {
    id: formatId('job', id),
    status,
    progress: { total, processed: processedOf(one), successful, failed },
    ...(errors.length > 0 && { errors: errors.map((error) => ({ ...error })) }),
    ...(completedAt && { completedAt: toWireTime(completedAt) }),
  }
}
