import { Readable, pipeline } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
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
 * BULK-1: the records of CSV text, from its beginning or from where a record begins. Empty lines are none. Stops
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
  // An end before its time is the caller's wish; a failure reaches whoever reads.
  pipeline(Readable.from(inTurns(bytes)), parser, () => undefined)
  try {
    for await (const record of parser) yield record as CsvRecord
  } catch (error) {
    throw error instanceof CsvError ? new UnusableFile('malformed', { cause: error }) : error
  }
}

/** A piece holds some hundred records at most, which are parsed in a few milliseconds. */
const PIECE_BYTES = 1024
const TURN_MS = 5

/** The same bytes in small pieces, with a turn for everything else on the event loop between them. */
async function* inTurns(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let since = performance.now()
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES)
      if (performance.now() - since < TURN_MS) continue
      await nextTurn()
      since = performance.now()
    }
  }
}
