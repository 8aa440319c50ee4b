/** Renders JSON as readable YAML: block style, quotes only where needed, long texts as blocks of lines. */
export function toYaml(value: unknown): string {
  return `${linesOf(value).join('\n')}\n`
}

/** Lines with their indentation inside of the value. */
function linesOf(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap(entryLines)
  if (isFilled(value)) return Object.entries(value).flatMap(([key, part]) => fieldLines(key, part))
  return scalarLines(value)
}

const isFilled = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function entryLines(value: unknown): string[] {
  const [first = '', ...rest] = linesOf(value)
  return [`- ${first}`, ...indented(rest)]
}

function fieldLines(key: string, value: unknown): string[] {
  const name = textOf(key)
  if (isFilled(value)) return [`${name}:`, ...indented(linesOf(value))]
  const [first = '', ...rest] = scalarLines(value)
  return [`${name}: ${first}`, ...rest]
}

const indented = (lines: readonly string[]): string[] =>
  lines.map((line) => (line === '' ? '' : `  ${line}`))

/** A text of several lines becomes a block if none of them needs an escape. */
function scalarLines(value: unknown): string[] {
  if (typeof value !== 'string') return [JSON.stringify(value)]
  const lines = value.split('\n')
  const isBlock = lines.length > 1 && lines.every((line) => BLOCK_LINE.test(line))
  return isBlock && lines.at(-1) !== '' && lines[0] !== ''
    ? ['|-', ...indented(lines)]
    : [textOf(value)]
}

/** A line that needs no escape in a block: no blank at its ends, no invisible character. */
const BLOCK_LINE =
  /^(?:[!-~\u00a1-\u1fff\u2010-\u2027\u2030-\ud7ff](?:[ -~\u00a1-\u1fff\u2010-\u2027\u2030-\ud7ff]*[!-~\u00a1-\u1fff\u2010-\u2027\u2030-\ud7ff])?)?$/

/** A text that YAML reads as the same text without quotes. */
const PLAIN = /^[A-Za-z/$_](?:[\w /(){}[\],;.'$-]*[\w/(){}[\];.'$-])?$/
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i

const textOf = (text: string): string =>
  PLAIN.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text)
