import type { Work } from '../../../infra/work/work.ts'
import type { Order } from '../../../orders/index.ts'
import type { Finding, Verdict } from '../store.ts'

export type Members = Readonly<Record<string, unknown>>

/** One kind of what is screened: what is said about it, and what a verdict does to it. */
export type SubjectKind = Readonly<{
  covers(order: Order): boolean
  lock(work: Work, order: Order): Promise<unknown>
  describe(work: Work, order: Order): Promise<Members>
  /** `before` is the verdict before; undefined where there was none. CLEAR never lifts what a worse one did. */
  act(work: Work, order: Order, finding: Finding & { before?: Verdict | undefined }): Promise<void>
  /** The operator decides what a verdict left open. */
  reviewed?(work: Work, order: Order, as: 'RELEASED' | 'REFUSED'): Promise<void>
}>

/** A later CLEAR is shown to reviewers, and lifts nothing (PROV-107). */
export const CLEARED = { reason: 'SCREENING_CLEAR', level: 'INFO' } as const
