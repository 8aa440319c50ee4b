import { openCursor, signCursor } from '../../crypto/page-token.ts'
import { failFields } from '../../kernel/errors.ts'
import { PAGE_LIMIT_DEFAULT, type Page } from '../../kernel/page.ts'
import type { Work } from '../work.ts'

export type PageRequest = Readonly<{
  /** The list's name; with the platform and the filters it is what a cursor is bound to. */
  list: string
  query: Readonly<{ limit?: number; cursor?: string }>
  filters?: Readonly<Record<string, unknown>>
}>

/** The sort key of the last row shown, most significant column first. */
export type Position = readonly string[]

export type Paging = Readonly<{
  limit: number
  /** One row more than shown is asked for, to know whether there is more. */
  fetch: number
  after: Position | undefined
  page<Row, Item>(
    rows: readonly Row[],
    map: { item: (row: Row) => Item; position: (row: Row) => Position },
  ): Page<Item>
}>

const scopeOf = (work: Work, { list, filters = {} }: PageRequest): string => {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([work.platform.id, list, entries])
}

/** Opens the cursor of a list request (CORE-50). Fails: INVALID_INPUT on a cursor of another list or a changed one. */
export function openPage(work: Work, request: PageRequest): Paging {
  const { limit = PAGE_LIMIT_DEFAULT, cursor } = request.query
  const scope = scopeOf(work, request)
  const after = cursor === undefined ? undefined : openCursor(work.keyring, scope, cursor)
  if (cursor !== undefined && !Array.isArray(after)) {
    failFields([{ field: 'cursor', message: 'is not a cursor of this list with these filters' }])
  }
  return {
    limit,
    fetch: limit + 1,
    after: after as Position | undefined,
    page(rows, { item, position }) {
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const data = shown.map(item)
      if (rows.length <= limit || last === undefined) return { data, hasMore: false }
      return { data, hasMore: true, nextCursor: signCursor(work.keyring, scope, position(last)) }
    },
  }
}
