/** More than any list of the API may hold, so that a list that is too long still is after the cut. */
const ENTRIES_MAX = 300
/** List entries of the whole value. The errors of one take about 10 µs to collect. */
const ENTRIES_IN_ALL_MAX = 1_000

/**
 * The value itself where its lists are short, else a copy whose lists hold no more entries than are worth listing the
 * errors of. Keys of objects are bounded by the limit of a body.
 */
export function cutLists(value: unknown): unknown {
  return entriesIn(value) > ENTRIES_IN_ALL_MAX ? cut(value, { left: ENTRIES_IN_ALL_MAX }) : value
}

function entriesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = Array.isArray(value) ? value.length : 0
  for (const inner of Object.values(value)) count += entriesIn(inner)
  return count
}

function cut(value: unknown, budget: { left: number }): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const kept = value.slice(0, Math.min(ENTRIES_MAX, budget.left))
    budget.left -= kept.length
    return kept.map((one) => cut(one, budget))
  }
  // Unlike an assignment this also keeps a field that is named `__proto__`.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner, budget)]))
}
