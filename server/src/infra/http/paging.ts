import { createHash } from 'node:crypto'
import { openCursor, signCursor } from '../../crypto/page-token.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { failFields, type FieldError } from '../../kernel/errors.ts'
import { PAGE_LIMIT_DEFAULT, type Page, type PageByCreation } from '../../kernel/page.ts'
import type { Work } from '../work/work.ts'

export type PageRequest = Readonly<{
  /** The list's name. A cursor is bound to it, to the platform and to all filters. */
  list: string
  query: Readonly<{ limit?: number; cursor?: string }>
  /** Filters beside the query: a part of the path, or the limits of an agent. */
  narrowedTo?: Readonly<Record<string, unknown>>
}>

/** The sort key of the last row shown, most significant column first. */
export type Position = readonly string[]

export type Paging = Readonly<{
  limit: number
  /** One row more than shown, to know whether there are more. */
  fetch: number
  after: Position | undefined
  page<Row, Item>(
    rows: readonly Row[],
    map: { item: (row: Row) => Item; position: (row: Row) => Position },
  ): Page<Item>
}>

type Signer = Pick<Work, 'platform' | 'keyring'>

/**
 * A cursor is signed for its platform and has its binding before the position, so that it can be verified before the
 * filters of the request are known.
 */
type Opened = readonly [boundTo: string, ...Position]

/** A digest of the list and its filters. */
function bindingOf({ list, query, narrowedTo }: PageRequest): string {
  const { limit: _limit, cursor: _cursor, ...filters } = query
  const named = Object.entries({ ...filters, ...narrowedTo })
  const entries = named.filter(([, value]) => value !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  const digest = createHash('sha256')
    .update(JSON.stringify([list, entries]))
    .digest()
  return digest.subarray(0, 16).toString('base64url')
}

function open({ platform, keyring }: Signer, cursor: string): Opened | undefined {
  const opened = openCursor(keyring, platform.id, cursor)
  return Array.isArray(opened) ? (opened as unknown as Opened) : undefined
}

const CURSOR_ERROR = { field: 'cursor', message: 'is not a cursor of this list with these filters' }

/** The errors of a cursor, independent of other errors of the query (CORE-30). */
export function cursorErrors(signer: Signer, query: unknown): FieldError[] {
  const { cursor } = (query ?? {}) as { cursor?: unknown }
  return typeof cursor === 'string' && !open(signer, cursor) ? [CURSOR_ERROR] : []
}

/** Opens the cursor of a list request (CORE-50). Fails: INVALID_INPUT on a cursor of another list or a changed one. */
export function openPage(work: Work, request: PageRequest): Paging {
  const { limit = PAGE_LIMIT_DEFAULT, cursor } = request.query
  const binding = bindingOf(request)
  const [boundTo, ...after] = (cursor !== undefined && open(work, cursor)) || []
  if (cursor !== undefined && boundTo !== binding) failFields([CURSOR_ERROR])
  return {
    limit,
    fetch: limit + 1,
    after: cursor === undefined ? undefined : after,
    page(rows, { item, position }) {
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const data = shown.map(item)
      if (rows.length <= limit || last === undefined) return { data, hasMore: false }
      const signed: Opened = [binding, ...position(last)]
      const nextCursor = signCursor(work.keyring, work.platform.id, signed)
      return { data, hasMore: true, nextCursor }
    },
  }
}

type Created = Readonly<{ id: string; createdAt: Date }>

/** A page of a list by creation, with the count of all that match. */
export async function pageByCreation<Row extends Created>(
  paging: Paging,
  list: { rows(page: PageByCreation): Promise<readonly Row[]>; count(): Promise<number> },
): Promise<Page<Row>> {
  const [createdAt = '', id = ''] = paging.after ?? []
  const after = paging.after && { createdAt, id }
  const [rows, totalCount] = await Promise.all([
    list.rows({ after, fetch: paging.fetch }),
    list.count(),
  ])
  const page = paging.page(rows, {
    item: (row) => row,
    position: (row) => [toWireTime(row.createdAt), row.id],
  })
  return { ...page, totalCount }
}
