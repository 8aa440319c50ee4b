import { asId } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Job, JobHandlers } from '../../infra/jobs/job-handler.ts'
import { IMPORT_ROWS_JOB, SCAN_FILE_JOB } from './job-names.ts'
import { readRows, type Rows } from './read-rows.ts'
import { scanFile } from './scan-file.ts'
import { settleRows } from './settle-rows.ts'
import { settleScan, type Scan } from './settle-scan.ts'
import { findImportRow } from './store.ts'
import { UnusableFile } from './unusable-file.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Platform } from '../../kernel/platform.ts'

const importIdOf = ({ payload }: Job) => asId('job', (payload as { importId: string }).importId)

async function importOf({ db }: Deps, platform: Platform, job: Job) {
  const found = await findImportRow(db.read, platform.id, importIdOf(job))
  invariant(found, 'an import is never removed')
  return found
}

/** The disk is read without a transaction; what was read is settled in one. */
export const jobs: JobHandlers = {
  [SCAN_FILE_JOB]: {
    async call(deps, platform, job): Promise<Scan> {
      const { fileId } = await importOf(deps, platform, job)
      try {
        return await scanFile(deps.files.read(fileId))
      } catch (error) {
        if (error instanceof UnusableFile) return error
        throw error
      }
    },
    settle: (work, job, scan) => settleScan(work, importIdOf(job), scan as Scan),
  },
  [IMPORT_ROWS_JOB]: {
    call: async (deps, platform, job): Promise<Rows> =>
      readRows(deps.files, await importOf(deps, platform, job)),
    settle: (work, job, read) => settleRows(work, importIdOf(job), read as Rows),
  },
}
