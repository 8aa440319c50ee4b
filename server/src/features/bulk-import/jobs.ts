import type { Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { outsideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import { importRowsJob, scanFileJob } from './job-definitions.ts'
import { readRows } from './file/read-rows.ts'
import { scanFile } from './file/scan-file.ts'
import { settleRows } from './settle-rows.ts'
import { settleScan, type Scan } from './settle-scan.ts'
import { findImportRow } from './store.ts'
import { UnusableFile } from './file/unusable-file.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Platform } from '../../kernel/platform.ts'

async function importOf({ db }: Deps, platform: Platform, importId: Id<'job'>) {
  const found = await findImportRow(db.read, platform.id, importId)
  invariant(found, 'an import is never removed')
  return found
}

/** The file is read outside of a transaction; the result is settled in one. */
export const jobs: readonly JobHandler[] = [
  outsideJob(scanFileJob, {
    async call(deps, platform, { payload }): Promise<Scan> {
      const { fileId } = await importOf(deps, platform, payload.importId)
      try {
        return await scanFile(deps.files.read(fileId))
      } catch (error) {
        if (error instanceof UnusableFile) return error
        throw error
      }
    },
    settle: (work, { payload }, scan) => settleScan(work, payload.importId, scan),
  }),
  outsideJob(importRowsJob, {
    call: async (deps, platform, { payload }) =>
      readRows(deps.files, await importOf(deps, platform, payload.importId)),
    settle: (work, { payload }, rows) => settleRows(work, payload.importId, rows),
  }),
]
