import type { Platform } from '../../kernel/platform.ts'
import type { Deps } from '../deps.ts'
import type { Work } from '../work.ts'

/** A job as its handler sees it. `attempts` counts the failed ones before this. */
export type Job = Readonly<{
  id: string
  name: string
  payload: unknown
  dueAt: Date
  attempts: number
}>

/** A job that stays inside: its effect and its completion are one transaction. */
export type InsideHandler = Readonly<{ run(work: Work, job: Job): Promise<void> }>

/**
 * A job that needs the outside. `call` has no transaction and may run again after a crash; `settle` records the
 * answer and completes the job in one transaction.
 */
export type OutsideHandler = Readonly<{
  call(deps: Deps, platform: Platform, job: Job): Promise<unknown>
  settle(work: Work, job: Job, answer: unknown): Promise<void>
}>

export type JobHandler = InsideHandler | OutsideHandler

/** Job name (`feature.verb`) → what runs it. The list is app/job-handlers.ts. */
export type JobHandlers = Readonly<Record<string, JobHandler>>

export const isOutside = (handler: JobHandler): handler is OutsideHandler => 'call' in handler
