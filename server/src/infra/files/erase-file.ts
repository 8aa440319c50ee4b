import { Type } from '../http/schema/type.ts'
import { sql } from '../db/statement/sql.ts'
import { defineJob } from '../jobs/define-job.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { outsideJob, type JobHandler } from '../jobs/job-handler.ts'
import type { Work } from '../work/work.ts'

const eraseFileJob = defineJob('files.erase', Type.Object({ fileId: Type.String() }))

/** Deletes a stored file. A job erases the bytes after the commit, also where this process dies in between. */
export function eraseFile(work: Work, id: string): void {
  work.tx.queueWrite(
    sql`delete from stored_files where platform_id = ${work.platform.id} and id = ${id}`,
  )
  enqueue(work, eraseFileJob, { fileId: id })
}

export const fileJobs: readonly JobHandler[] = [
  outsideJob(eraseFileJob, {
    call: ({ files }, _platform, { payload }) => files.erase(payload.fileId),
  }),
]
