import type { Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'

/** One thing that happened because its time had come, for the answer of the sandbox clock. */
export type Ran = Readonly<{
  kind: 'job' | 'attempt'
  name: string
  id: string
  dueAt: Date
  outcome: string
}>

/** Another process is at it, or has taken it over. */
export const isTaken = ({ outcome }: Pick<Ran, 'outcome'>): boolean =>
  outcome === 'taken' || outcome === 'lost'

/** One move of a platform's clock. */
export type Jump = Readonly<{
  /** The platform's time before it: what was overdue by then happens then. */
  startedAt: Date
  /** Addresses that let a call time out: a receiver that hangs holds a jump up once (HOOK-30). */
  hungUrls: Set<string>
}>

/** Something that keeps things to be done at a time: the jobs, the webhook attempts. */
export type DueSource = Readonly<{
  /** When the platform's earliest thing is due, in its own time; also of one that another process is at. */
  nextDueAt(platformId: Id<'platform'>): Promise<Date | undefined>
  /**
   * Runs the platform's earliest thing due by `until`, which sees the time at which it was due, unless another process
   * is at it (`isTaken`).
   */
  runNext(platform: Platform, until: Date, jump?: Jump): Promise<Ran | undefined>
}>
