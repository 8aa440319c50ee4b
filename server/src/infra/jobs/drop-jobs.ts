import type { Id } from '../../kernel/ids.ts'
import { given, type Columns } from '../db/statement/given.ts'
import { sql } from '../db/statement/sql.ts'
import type { Tx } from '../db/tx.ts'
import type { JobDefinition } from './define-job.ts'

type JobKey = Readonly<{ platformId: Id<'platform'>; key: string }>

const JOB_KEY: Columns<JobKey> = {
  platform_id: ['uuid', (job) => job.platformId],
  key: ['text', (job) => job.key],
}

/**
 * Queues the deletion of waiting jobs that have nothing left to do. A job that is running at this moment is skipped
 * instead of waited for; it finds out by itself.
 */
export function dropJobs(tx: Tx, { name }: JobDefinition, jobs: readonly JobKey[]): void {
  if (jobs.length === 0) return
  tx.queueWrite(
    sql`delete from jobs d using (
          select j.platform_id, j.id from jobs j
          join ${given('k', JOB_KEY, jobs)} on j.platform_id = k.platform_id and j.key = k.key
          where j.name = ${name} and j.state = 'WAITING'
          for update of j skip locked) free
        where d.platform_id = free.platform_id and d.id = free.id`,
  )
}
