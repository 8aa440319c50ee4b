import type { Id } from '../../kernel/ids.ts'
import type { BulkImportStatus } from './machine.ts'

/** An uploaded file of customers and the progress of its import. */
export type BulkImport = Readonly<{
  id: Id<'job'>
  fileId: string
  status: BulkImportStatus
  /** The header, known after the scan. */
  columns: readonly string[]
  /** The offset of the next row in the file. */
  nextByte: number
  total: number
  successful: number
  failed: number
  createdAt: Date
  completedAt: Date | null
}>

/** The error of a row in answers (BULK-6). */
export type RowError = Readonly<{
  correlationId: string
  code: string
  message: string
  details: Readonly<Record<string, unknown>>
}>

/** `row` counts records, the header being 1. */
export type FailedRow = Readonly<{ row: number; entry: RowError }>

export const HEADER_ROW = 1
export const ERRORS_MAX = 1000
export const FILE_BYTES_MAX = 100 * 1024 * 1024
/** A file of the largest size has fewer complete rows. */
export const ROWS_MAX = 2_000_000
/** The number of rows of one transaction. */
export const ROWS_AT_ONCE = 200

export const processedOf = ({
  successful,
  failed,
}: Pick<BulkImport, 'successful' | 'failed'>): number => successful + failed
