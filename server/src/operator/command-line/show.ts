type Row = Readonly<Record<string, unknown>>

const cell = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function table(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  )
  return cells
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** For people: a list as a table, an object as lines. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : table(value.filter(isRow))
  if (!isRow(value)) return cell(value)
  const width = Math.max(...Object.keys(value).map((name) => name.length))
  return Object.entries(value)
    .map(([name, inner]) => `${name.padEnd(width)}  ${cell(inner)}`)
    .join('\n')
}
