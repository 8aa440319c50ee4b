import type { ApiError } from '../../kernel/errors.ts'
import { HEADER_ROW, ROWS_MAX, type FailedRow } from './bulk-import.ts'
import type { UnusableFile, UnusableReason } from './file/unusable-file.ts'

const CSV_CODE = 'INVALID_CSV_FORMAT'

const MESSAGES: Readonly<Record<UnusableReason, string>> = {
  missing_required_column: 'The header lacks a required column.',
  not_utf8: 'The file is not encoded in UTF-8.',
  malformed: 'The file is not well-formed CSV; look for unbalanced quotes.',
  no_rows: 'The file holds no row below a header.',
  too_many_rows: `The file holds more than ${ROWS_MAX} rows; split it.`,
}

const rowName = (row: number): string => `row_${row}`

/** A file that cannot be read fails as a whole, under the number of its header (BULK-3). */
export const errorOfFile = ({ reason, column }: UnusableFile): FailedRow => ({
  row: HEADER_ROW,
  entry: {
    correlationId: rowName(HEADER_ROW),
    code: CSV_CODE,
    message: MESSAGES[reason],
    details: { reason, ...(column !== undefined && { column }) },
  },
})

type At = Readonly<{ row: number; platformCustomerId: string | undefined }>

/** The row number replaces an id that the database cannot store (U+0000) (BULK-6). */
const nameOf = ({ row, platformCustomerId }: At): string =>
  platformCustomerId === undefined || platformCustomerId.includes('\u0000')
    ? rowName(row)
    : platformCustomerId

/** The error that the API would have answered (BULK-6). */
export const errorOfRow = (
  at: At,
  { code, message, details }: Pick<ApiError, 'code' | 'message' | 'details'>,
): FailedRow => ({
  row: at.row,
  entry: { correlationId: nameOf(at), code, message, details: { row: at.row, ...details } },
})

/** Missing cells count as empty; surplus cells have no column and are refused (BULK-4). */
export const errorOfCells = (at: At): FailedRow => ({
  row: at.row,
  entry: {
    correlationId: nameOf(at),
    code: CSV_CODE,
    message: 'The row has more cells than the header has columns.',
    details: { row: at.row, reason: 'too_many_cells' },
  },
})
