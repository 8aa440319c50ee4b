import { advance } from '../../kernel/machine.ts'
import { eraseFile } from '../../infra/files/erase-file.ts'
import type { Work } from '../../infra/work/work.ts'
import { emit } from '../../webhooks/emit.ts'
import { ERRORS_MAX, type BulkImport } from './bulk-import.ts'
import { bulkImport } from './machine.ts'
import { listErrors, saveImport } from './store.ts'
import { bulkImportToWire } from './wire.ts'

/**
 * Ends as COMPLETED where a row succeeded, else FAILED; emits one event and erases the file (BULK-10). Refuses nothing.
 */
export async function endImport(work: Work, before: BulkImport): Promise<void> {
  const { tx, platform, now } = work
  const event = before.successful > 0 ? 'complete' : 'fail'
  const status = advance(bulkImport, before.status, event)
  const ended: BulkImport = { ...before, status, completedAt: now }
  const errors = await listErrors(tx, platform.id, { importId: ended.id, max: ERRORS_MAX })
  saveImport(tx, platform.id, ended)
  eraseFile(work, ended.fileId)
  const type = event === 'complete' ? 'BULK_UPLOAD.COMPLETED' : 'BULK_UPLOAD.FAILED'
  emit(work, type, bulkImportToWire(ended, errors))
}
