/** More than any list of the API may have, so that a list that is too long is still too long after the cut. */
const ENTRIES_MAX = 300
/** The most list entries of the whole value. Collecting the errors of one takes about 10 µs. */
const ENTRIES_IN_ALL_MAX = 1_000

/**
 * Returns the value itself where its lists are short, else a copy with shortened lists, which bounds the work of
 * collecting errors. The keys of objects are bounded by the size of a body.
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
