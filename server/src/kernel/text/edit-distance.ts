/**
 * The Damerau-Levenshtein distance: how many letters must be inserted, deleted, replaced or swapped with their
 * neighbour to make one text of the other. For names, whose length is bounded.
 */
export function editDistance(from: string, to: string): number {
  const most = from.length + to.length
  // One row and column more than letters on both sides: the outer ones stand for a swap that is not possible.
  const table = Array.from({ length: from.length + 2 }, (_, i) =>
    Array.from({ length: to.length + 2 }, (_, j) =>
      i === 0 || j === 0 ? most : i === 1 ? j - 1 : j === 1 ? i - 1 : 0,
    ),
  )
  const at = (i: number, j: number): number => table[i]?.[j] ?? most
  const lastRowOf = new Map<string, number>()
  for (let i = 1; i <= from.length; i += 1) {
    let lastColumn = 0
    for (let j = 1; j <= to.length; j += 1) {
      const row = lastRowOf.get(to[j - 1] ?? '') ?? 0
      const column = lastColumn
      const isSame = from[i - 1] === to[j - 1]
      if (isSame) lastColumn = j
      ;(table[i + 1] as number[])[j + 1] = Math.min(
        at(i, j) + (isSame ? 0 : 1),
        at(i + 1, j) + 1,
        at(i, j + 1) + 1,
        at(row, column) + (i - row - 1) + 1 + (j - column - 1),
      )
    }
    lastRowOf.set(from[i - 1] ?? '', i)
  }
  return at(from.length + 1, to.length + 1)
}
