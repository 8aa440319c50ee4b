/**
 * Pages of a list: limits, the answer's shape and the opaque cursor. A cursor holds the sort key
 * of the last row, sealed together with the list and the filters it was made for, so that another
 * list's or an altered one does not open. The key stays outside: callers hand in a `CursorMac`.
 */

export const PAGE_LIMIT_MIN = 1
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

/** The sort key of the last row shown, most significant column first; instants as wire time. */
export type CursorPosition = readonly string[]

/** What a cursor is bound to: the platform's list and its filters, without limit and cursor. */
export type CursorScope = Readonly<{
  list: string
  platformId: string
  filters: Readonly<Record<string, unknown>>
}>

/** A keyed digest of the text, in characters fit for a URL. */
export type CursorMac = (text: string) => string

export function encodeCursor(position: CursorPosition, scope: CursorScope, mac: CursorMac): string {
  const payload = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${payload}.${mac(sealedText(payload, scope))}`
}

/** The position, or undefined for a cursor of another list, other filters, or one altered on the way. */
export function decodeCursor(
  cursor: string,
  scope: CursorScope,
  mac: CursorMac,
): CursorPosition | undefined {
  const dot = cursor.indexOf('.')
  if (dot < 0) return undefined
  const payload = cursor.slice(0, dot)
  // A plain comparison suffices: a forged cursor opens nothing that the caller's token does not.
  if (cursor.slice(dot + 1) !== mac(sealedText(payload, scope))) return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as CursorPosition
}

/** From up to limit + 1 rows, the page and whether there is more. */
export function toPage<Row, T>(options: {
  rows: readonly Row[]
  limit: number
  toItem: (row: Row) => T
  toCursor: (lastRow: Row) => string
}): Page<T> {
  const { rows, limit, toItem, toCursor } = options
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const data = shown.map(toItem)
  if (rows.length <= limit || last === undefined) return { data, hasMore: false }
  return { data, hasMore: true, nextCursor: toCursor(last) }
}

function sealedText(payload: string, scope: CursorScope): string {
  const filters = Object.keys(scope.filters)
    .filter((name) => scope.filters[name] !== undefined)
    .toSorted()
    .map((name) => [name, scope.filters[name]])
  return JSON.stringify([scope.platformId, scope.list, filters, payload])
}
