import type { Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'

/** One job or webhook attempt that came due, for the answer of the sandbox clock. */
export type Ran = Readonly<{
  kind: 'job' | 'attempt'
  name: string
  id: string
  dueAt: Date
  outcome: string
}>

/** Whether another process is running it, or has taken it over. */
export const isTaken = ({ outcome }: Pick<Ran, 'outcome'>): boolean =>
  outcome === 'taken' || outcome === 'lost'

/** One move of a platform's clock. */
export type Jump = Readonly<{
  /** The platform's time before the move, at which overdue work runs. */
  startedAt: Date
  /** Addresses whose calls timed out, so that a hanging receiver delays a move only once (HOOK-30). */
  hungUrls: Set<string>
}>

/** A queue of work with due times: jobs, webhook attempts, orders. */
export type DueSource = Readonly<{
  /** When the platform's earliest work is due, in its own time; also if another process is running it. */
  nextDueAt(platformId: Id<'platform'>): Promise<Date | undefined>
  /**
   * Runs the platform's earliest work due by `until`, at the time at which it was due, unless another process is running
   * it (`isTaken`).
   */
  runNext(platform: Platform, until: Date, jump?: Jump): Promise<Ran | undefined>
}>
