import { defineMachine } from '../../kernel/machine.ts'

export const BULK_IMPORT_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export type BulkImportStatus = (typeof BULK_IMPORT_STATUSES)[number]
export type BulkImportEvent = 'start' | 'complete' | 'fail'

export const bulkImport = defineMachine<BulkImportStatus, BulkImportEvent>({
  name: 'bulk import',
  initial: 'PENDING',
  table: {
    PENDING: { start: 'PROCESSING', fail: 'FAILED' },
    PROCESSING: { complete: 'COMPLETED', fail: 'FAILED' },
    COMPLETED: {},
    FAILED: {},
  },
})
