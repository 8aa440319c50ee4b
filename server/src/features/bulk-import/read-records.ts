import { Readable, pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { inTurns } from '../../infra/in-turns.ts'
import { UnusableFile } from './unusable-file.ts'

/** One record of a CSV file, and where the one behind it begins. */
export type CsvRecord = Readonly<{ cells: readonly string[]; endByte: number }>

type Reading = Readonly<{
  /** Not from the middle: a byte-order mark may stand first. */
  isWholeFile: boolean
  /** Called for every record; those for which it answers false are passed over, which is much faster. */
  isWanted?: (cells: readonly string[]) => boolean
}>

/** Far beyond what a customer's data can hold: without a bound one stray quote would swallow the file. */
const RECORD_BYTES_MAX = 1024 * 1024

/**
 * The records of CSV text, from its beginning or from where a record begins (BULK-1). Empty lines are none. Stops
 * reading when the caller does. Throws UnusableFile: `malformed`.
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
    // The library's types let a record be nothing but cells.
    on_record: (cells, { bytes: endByte }) =>
      isWanted(cells) ? ({ cells, endByte } as unknown as string[]) : null,
  })
  const transform = parser._transform.bind(parser)
  parser._transform = (...piece) => withoutStacks(() => transform(...piece))
  // An end before its time is the caller's wish; a failure reaches whoever reads.
  pipeline(Readable.from(inTurns(bytes)), parser, () => undefined)
  try {
    for await (const record of parser) yield record as CsvRecord
  } catch (error) {
    throw error instanceof CsvError ? new UnusableFile('malformed', { cause: error }) : error
  }
}

/**
 * The parser makes an error for every record whose number of cells is not the header's and drops it again. Without
 * stacks that takes a tenth of the time.
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
