import { REQUIRED_COLUMNS } from './columns.ts'
import { ROWS_MAX } from '../bulk-import.ts'
import { readRecords } from './read-records.ts'
import { UnusableFile } from './unusable-file.ts'

export type UsableFile = Readonly<{
  columns: readonly string[]
  /** The offset of the first row. */
  firstByte: number
  rows: number
}>

/**
 * Reads the whole file before any row is imported, one record in memory at a time (BULK-3). Throws
 * UnusableFile: `missing_required_column`, `not_utf8`, `malformed`, `no_rows`, `too_many_rows`.
 */
export async function scanFile(
  bytes: AsyncIterable<Buffer>,
  { rowsMax }: Readonly<{ rowsMax: number }> = { rowsMax: ROWS_MAX },
): Promise<UsableFile> {
  let records = 0
  const isWanted = (): boolean => {
    records += 1
    if (records > rowsMax + 1) throw new UnusableFile('too_many_rows')
    return records === 1
  }
  let header: Omit<UsableFile, 'rows'> | undefined
  for await (const { cells, endByte } of readRecords(asUtf8(bytes), {
    isWholeFile: true,
    isWanted,
  })) {
    const column = REQUIRED_COLUMNS.find((name) => !cells.includes(name))
    if (column !== undefined) throw new UnusableFile('missing_required_column', { column })
    header = { columns: cells.map(storable), firstByte: endByte }
  }
  const rows = records - 1
  if (!header || rows === 0) throw new UnusableFile('no_rows')
  return { ...header, rows }
}

/** The database cannot store U+0000; a column with it in its name is unknown anyway and stays ignored. */
const storable = (column: string): string => column.replaceAll('\u0000', '\ufffd')

/** Passes the bytes on, and fails where they are not UTF-8. */
async function* asUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) {
      decoder.decode(chunk, { stream: true })
      yield chunk
    }
    decoder.decode()
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? new UnusableFile('not_utf8', { cause: error })
      : error
  }
}
