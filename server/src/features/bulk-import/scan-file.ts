import { REQUIRED_COLUMNS } from './columns.ts'
import { ROWS_MAX } from './bulk-import.ts'
import { readRecords } from './read-records.ts'
import { UnusableFile } from './unusable-file.ts'

export type UsableFile = Readonly<{
  columns: readonly string[]
  /** Where the first row begins. */
  firstByte: number
  rows: number
}>

/**
 * Reads the whole file once before any row of it is imported, and holds no more of it than a record (BULK-3). Throws
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

/** No column of ours has U+0000 in its name, nor can a database hold it: such a column is ignored under another name. */
const storable = (column: string): string => column.replaceAll('\u0000', '\ufffd')

/** The same bytes, as long as they are UTF-8. */
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
