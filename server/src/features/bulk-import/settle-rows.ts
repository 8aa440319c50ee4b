import type { Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Work } from '../../infra/work/work.ts'
import { createCustomers } from '../customers/index.ts'
import { ERRORS_MAX, HEADER_ROW, processedOf } from './bulk-import.ts'
import type { BulkImport, FailedRow } from './bulk-import.ts'
import { draftOf, valuesOf } from './file/columns.ts'
import { endImport } from './end-import.ts'
import { importRowsJob } from './job-definitions.ts'
import type { Rows } from './file/read-rows.ts'
import { errorOfCells, errorOfRow } from './row-error.ts'
import { insertErrors, lockImport, saveImport } from './store.ts'

/**
 * Creates the customers of these rows and advances the import, in one transaction with the end of the job that read
 * them (BULK-8). Enqueues the job of the next rows. Refuses nothing: faults of a row are its errors.
 */
export async function settleRows(work: Work, importId: Id<'job'>, read: Rows): Promise<void> {
  const { tx, platform } = work
  const before = await lockImport(tx, platform.id, importId)
  const { rows, nextByte } = read
  invariant(rows.length > 0, 'a file has as many rows as were counted')
  const errors = await importRows(work, before, rows)
  if (errors.length > 0) await insertErrors(tx, platform.id, { importId, max: ERRORS_MAX, errors })
  const after: BulkImport = {
    ...before,
    nextByte,
    successful: before.successful + rows.length - errors.length,
    failed: before.failed + errors.length,
  }
  if (processedOf(after) === after.total) return endImport(work, after)
  saveImport(tx, platform.id, after)
  enqueue(work, importRowsJob, { importId })
}

/** Creates customers and answers the errors of the rows that failed. */
async function importRows(
  work: Work,
  before: BulkImport,
  rows: Rows['rows'],
): Promise<FailedRow[]> {
  const { columns } = before
  const firstRow = HEADER_ROW + 1 + processedOf(before)
  const read = rows.map((cells, index) => {
    const values = valuesOf({ columns, cells })
    const platformCustomerId = values.get('platformCustomerId')?.trim()
    return { at: { row: firstRow + index, platformCustomerId }, cells, values }
  })
  const tooLong = read.filter(({ cells }) => cells.length > columns.length)
  const fitting = read.filter(({ cells }) => cells.length <= columns.length)
  const drafts = fitting.map(({ values }) => draftOf(values))
  const outcomes = await createCustomers(work, drafts)
  const refused = fitting.flatMap(({ at }, index) => {
    const outcome = outcomes[index]
    return outcome ? [errorOfRow(at, outcome)] : []
  })
  return [...tooLong.map(({ at }) => errorOfCells(at)), ...refused]
}
