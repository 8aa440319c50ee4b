import { newId } from '../../kernel/ids.ts'
import type { Upload } from '../../infra/http/input/upload.ts'
import { enqueue } from '../../infra/jobs/enqueue.ts'
import type { Work } from '../../infra/work/work.ts'
import type { BulkImport } from './bulk-import.ts'
import { scanFileJob } from './job-definitions.ts'
import { bulkImport } from './machine.ts'
import { insertImport } from './store.ts'

/** Stores the file and enqueues the scan; no row is imported before the answer. Refuses nothing. */
export async function startImport(work: Work, file: Upload): Promise<BulkImport> {
  const { tx, platform, now } = work
  const one: BulkImport = {
    id: newId('job'),
    fileId: file.id,
    status: bulkImport.initial,
    ...{ columns: [], nextByte: 0, total: 0, successful: 0, failed: 0 },
    createdAt: now,
    completedAt: null,
  }
  await file.keep(work)
  insertImport(tx, platform.id, one)
  enqueue(work, scanFileJob, { importId: one.id })
  return one
}
