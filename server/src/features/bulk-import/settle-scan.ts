import type { Id } from '../../kernel/ids.ts'
import { advance } from '../../kernel/machine.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Work } from '../../infra/work/work.ts'
import { ERRORS_MAX } from './bulk-import.ts'
import { endImport } from './end-import.ts'
import { importRowsJob } from './job-definitions.ts'
import { bulkImport } from './machine.ts'
import { errorOfFile } from './row-error.ts'
import type { UsableFile } from './file/scan-file.ts'
import { insertErrors, lockImport, saveImport } from './store.ts'
import { UnusableFile } from './file/unusable-file.ts'

export type Scan = UsableFile | UnusableFile

/** Starts importing the rows of a usable file, or ends the import (BULK-3). Refuses nothing. */
export async function settleScan(work: Work, importId: Id<'job'>, scan: Scan): Promise<void> {
  const { tx, platform } = work
  const before = await lockImport(tx, platform.id, importId)
  if (scan instanceof UnusableFile) {
    const errors = [errorOfFile(scan)]
    await insertErrors(tx, platform.id, { importId, max: ERRORS_MAX, errors })
    return endImport(work, before)
  }
  saveImport(tx, platform.id, {
    ...before,
    status: advance(bulkImport, before.status, 'start'),
    columns: scan.columns,
    nextByte: scan.firstByte,
    total: scan.rows,
  })
  enqueue(work, importRowsJob, { importId })
}
