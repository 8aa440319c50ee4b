/** Pages of a list: their limits and the shape of the answer. */
import type { Id } from './ids.ts'

export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 20

/** A total may be capped, so that counting never costs more than a page is worth (CORE-51). */
export const TOTAL_COUNT_MAX = 10_000

export type Page<T> = Readonly<{
  data: readonly T[]
  hasMore: boolean
  nextCursor?: string
  totalCount?: number
}>

export type SortOrder = 'asc' | 'desc'

/** From `since` on and before `until`. */
export type Period = Readonly<{ since?: Date | undefined; until?: Date | undefined }>

/** A filter of lists by amount, both bounds included. */
export type AmountFilter = Readonly<{ currency: string; min: bigint; max: bigint }>

/** The last row of a page of a list that is ordered by creation, as its cursor states it. */
export type CreationPlace = Readonly<{ createdAt: string; id: string }>

/** The rows that a store fetches: after a place, or from the start. */
export type PageByCreation = Readonly<{ after: CreationPlace | undefined; fetch: number }>

/** The place of a row in a list that is ordered by time and id. */
export type Place = Readonly<{ at: Date; id: string }>

/** A page of a list of things that wait for the operator. */
export type WaitingPage = Readonly<{
  /** Null for all platforms. */
  platformIds: readonly Id<'platform'>[] | null
  /** Null for the first page. */
  after: Place | null
  limit: number
}>
