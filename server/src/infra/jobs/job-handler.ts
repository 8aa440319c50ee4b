import { invariant } from '../../kernel/invariant.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Deps } from '../deps.ts'
import type { Work } from '../work/work.ts'
import { definedJobs, type JobDefinition } from './define-job.ts'

/** The input of a handler. `attempts` counts the failed ones before this. */
export type Job<Payload = unknown> = Readonly<{
  id: string
  payload: Payload
  dueAt: Date
  attempts: number
}>

/** A job that stays inside: its effect and its completion are one transaction. */
export type InsideHandler = Readonly<{ name: string; run(work: Work, job: Job): Promise<void> }>

/** A job that calls the outside. `call` returns the function that records its result. */
export type OutsideHandler = Readonly<{
  name: string
  call(deps: Deps, platform: Platform, job: Job): Promise<(work: Work) => Promise<void>>
}>

export type JobHandler = InsideHandler | OutsideHandler

export type JobHandlers = ReadonlyMap<string, JobHandler>

export const isOutside = (handler: JobHandler): handler is OutsideHandler => 'call' in handler

const withPayload = <Payload>(definition: JobDefinition<Payload>, job: Job): Job<Payload> => ({
  ...job,
  payload: definition.read(job.payload),
})

export const insideJob = <Payload>(
  definition: JobDefinition<Payload>,
  run: (work: Work, job: Job<Payload>) => Promise<void>,
): InsideHandler => ({
  name: definition.name,
  run: async (work, job) => run(work, withPayload(definition, job)),
})

type Steps<Payload, Answer> = Readonly<{
  /** Has no transaction, and may run again after a crash. */
  call(deps: Deps, platform: Platform, job: Job<Payload>): Promise<Answer>
  /** Records the answer in the transaction that completes the job. */
  settle?(work: Work, job: Job<Payload>, answer: Answer): Promise<void>
}>

export const outsideJob = <Payload, Answer>(
  definition: JobDefinition<Payload>,
  { call, settle }: Steps<Payload, Answer>,
): OutsideHandler => ({
  name: definition.name,
  async call(deps, platform, stored) {
    const job = withPayload(definition, stored)
    const answer = await call(deps, platform, job)
    return async (work) => settle?.(work, job, answer)
  },
})

/** Throws where one job has two handlers. */
export function handlersByName(handlers: readonly JobHandler[]): JobHandlers {
  const byName = new Map(handlers.map((handler) => [handler.name, handler]))
  invariant(byName.size === handlers.length, 'A job has one handler.')
  return byName
}

/** Throws where a declared job has no handler or two, so that such a process does not start. */
export function handlersOfAll(handlers: readonly JobHandler[]): JobHandlers {
  const byName = handlersByName(handlers)
  for (const { name } of definedJobs())
    invariant(byName.has(name), `The job ${name} has a handler.`)
  return byName
}
