import type { JobHandler } from '../../infra/jobs/job-handler.ts'
import { pullVersionHandler } from './lists/pull-version.ts'
import { rescreenHandler } from './lists/rescreen.ts'

export const jobs: readonly JobHandler[] = [pullVersionHandler, rescreenHandler]
