import type { JobHandlers } from '../infra/jobs/job-handler.ts'

/** Every job by name. */
export const jobHandlers: JobHandlers = {}
