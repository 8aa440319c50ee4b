/** The rules as the pages of docs/specification state them; `npm run rule`, tidy and the index read them here. */

const FOLDER = 'docs/specification/'
const INDEX = `${FOLDER}README.md`

export type SpecifiedRule = Readonly<{
  id: string
  file: string
  line: number
  text: string
  isBuilt: boolean
}>

export type Chapter = Readonly<{ file: string; title: string; rules: readonly SpecifiedRule[] }>

export const isChapter = (file: string): boolean =>
  file.startsWith(FOLDER) && file.endsWith('.md') && file !== INDEX

export const chaptersIn = (texts: ReadonlyMap<string, string>): Chapter[] =>
  [...texts].filter(([file]) => isChapter(file)).map(([file, text]) => chapterOf(file, text))

export const areaOf = (id: string): string => id.slice(0, id.indexOf('-'))

const numberOf = (id: string): number => Number(id.slice(id.indexOf('-') + 1))

/** The line of a table or list that states a rule: `| QUOTE-9 <a id="quote-9"></a> | …`, `- **CRED-1** <a …> …`. */
const RULE = /^(?:\| |- \*\*)([A-Z]{2,}-\d+)(?:\*\*)? <a id="([a-z]+-\d+)"><\/a> ?(.*)$/
/** What begins like such a line, with or without its anchor. */
const LIKE_RULE = /^(?:\| |- \*\*)([A-Z]{2,}-\d+)(?:\*\*)?(?: |$)/

function chapterOf(file: string, text: string): Chapter {
  const lines = text.split('\n')
  const isPlanned = plannedBy(text)
  let head: readonly string[] = []
  const rules = lines.flatMap((line, index): SpecifiedRule[] => {
    if (lines[index + 1]?.startsWith('|-') === true) head = cellsOf(line)
    const [, id = '', , rest = ''] = RULE.exec(line) ?? []
    if (id === '') return []
    const said = line.startsWith('|') ? sayCells(head, cellsOf(rest)) : rest
    return [{ id, file, line: index + 1, text: said, isBuilt: !isPlanned(id) }]
  })
  return { file, title: /^# (.*)$/m.exec(text)?.[1] ?? file, rules }
}

/** The cells of a row, the one before its first bar left out. */
const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** A rule of one cell is its sentence; where it has more, each cell says what it is about. */
function sayCells([, ...heads]: readonly string[], cells: readonly string[]): string {
  if (cells.length === 1) return cells[0] ?? ''
  return cells.map((cell, index) => `${heads[index] ?? ''}: ${cell}`).join('\n')
}

/** Which ids the head of a chapter names as to be built: `Not built yet: PROV-1 to PROV-153, PROV-160.` */
function plannedBy(text: string): (id: string) => boolean {
  const listed = /^Not built yet: (.*)\.$/m.exec(text)?.[1]?.split(', ') ?? []
  const ranges = listed.map((part) => {
    const [first = '', last = first] = part.split(' to ')
    return { area: areaOf(first), from: numberOf(first), to: numberOf(last) }
  })
  return (id) =>
    ranges.some(
      ({ area, from, to }) => area === areaOf(id) && from <= numberOf(id) && numberOf(id) <= to,
    )
}

/** Lines that state a rule without the anchor of its id, so that no link and no tool finds it. */
export const misanchoredLines = (text: string): Readonly<{ line: number; id: string }>[] =>
  text.split('\n').flatMap((line, index) => {
    const id = LIKE_RULE.exec(line)?.[1]
    if (id === undefined || RULE.exec(line)?.[2] === id.toLowerCase()) return []
    return [{ line: index + 1, id }]
  })
