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

/** From a time on, and before another. */
export type Period = Readonly<{ since?: Date | undefined; until?: Date | undefined }>

/** How much of a currency, both ends included. */
export type AmountRange = Readonly<{ currency: string; min: bigint; max: bigint }>

/** The last row shown of a list that is ordered by creation, as its cursor has it. */
export type CreationPlace = Readonly<{ createdAt: string; id: string }>

/** What a store is asked for: the rows after a place, or from the start. */
export type PageByCreation = Readonly<{ after: CreationPlace | undefined; fetch: number }>

/** A row of a list that is ordered by time and id. */
export type Place = Readonly<{ at: Date; id: string }>

/** A page of what waits for the operator: of some platforms or of all, on after a row or from the start. */
export type WaitingPage = Readonly<{
  platformIds: readonly Id<'platform'>[] | null
  after: Place | null
  limit: number
}>
