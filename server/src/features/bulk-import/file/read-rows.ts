import type { FileStore } from '../../../infra/files/files.ts'
import { ROWS_AT_ONCE, type BulkImport } from '../bulk-import.ts'
import { readRecords } from './read-records.ts'

/** The next rows of a file and the offset of the row after them. */
export type Rows = Readonly<{ rows: readonly (readonly string[])[]; nextByte: number }>

/** Reads the next rows and stops. */
export async function readRows(
  files: Pick<FileStore, 'read'>,
  { fileId, nextByte }: Pick<BulkImport, 'fileId' | 'nextByte'>,
): Promise<Rows> {
  const rows: (readonly string[])[] = []
  let readTo = 0
  const rest = files.read(fileId, { from: nextByte })
  for await (const { cells, endByte } of readRecords(rest, { isWholeFile: false })) {
    rows.push(cells)
    readTo = endByte
    if (rows.length === ROWS_AT_ONCE) break
  }
  return { rows, nextByte: nextByte + readTo }
}
