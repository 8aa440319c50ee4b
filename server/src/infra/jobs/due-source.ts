import type { Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'

/** One thing that happened because its time had come, for the answer of the sandbox clock. */
export type Ran = Readonly<{ name: string; id: string; dueAt: Date; outcome: string }>

/** Something that keeps things to be done at a time: the jobs, the webhook attempts. */
export type DueSource = Readonly<{
  /** When the platform's earliest thing is due, in its own time. */
  nextDueAt(platformId: Id<'platform'>): Promise<Date | undefined>
  /** Runs the platform's earliest thing due by `until`, which sees the time at which it was due. */
  runNext(platform: Platform, until: Date): Promise<Ran | undefined>
}>
