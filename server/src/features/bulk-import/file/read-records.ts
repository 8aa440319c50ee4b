import { Readable, pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { inTurns } from '../../../infra/in-turns.ts'
import { UnusableFile } from './unusable-file.ts'

/** One record of a CSV file and the offset of its end. */
export type CsvRecord = Readonly<{ cells: readonly string[]; endByte: number }>

type Reading = Readonly<{
  /** Whether the text is read from its beginning, where a byte-order mark may stand. */
  isWholeFile: boolean
  /** Called for every record; records for which it answers false are skipped, which is much faster. */
  isWanted?: (cells: readonly string[]) => boolean
}>

/** Far above the size of a customer's data; without a bound one stray quote would read the whole file. */
const RECORD_BYTES_MAX = 1024 * 1024

/**
 * The records of CSV text, from its beginning or the start of a record (BULK-1). Empty lines are skipped. Stops reading
 * when the caller does. Throws UnusableFile: `malformed`.
 */
export async function* readRecords(
  bytes: AsyncIterable<Buffer>,
  { isWholeFile, isWanted = () => true }: Reading,
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    bom: isWholeFile,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_BYTES_MAX,
    // The library's types know records of cells only.
    on_record: (cells, { bytes: endByte }) =>
      isWanted(cells) ? ({ cells, endByte } as unknown as string[]) : null,
  })
  const transform = parser._transform.bind(parser)
  parser._transform = (...piece) => withoutStacks(() => transform(...piece))
  // A caller that stops early aborts the stream; other failures are thrown to the reader.
  pipeline(Readable.from(inTurns(bytes)), parser, () => undefined)
  try {
    for await (const record of parser) yield record as CsvRecord
  } catch (error) {
    throw error instanceof CsvError ? new UnusableFile('malformed', { cause: error }) : error
  }
}

/**
 * The parser creates and drops an error for every record with another number of cells than the header. Without stack
 * traces that takes a tenth of the time.
 */
function withoutStacks(run: () => void): void {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    run()
  } finally {
    Error.stackTraceLimit = limit
  }
}
