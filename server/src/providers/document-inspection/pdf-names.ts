/** Names of a PDF, as a reader finds them. Linear in what is looked at; nothing is unpacked. */

/** A name ends at a blank or at a sign that begins something else. */
const NAMES = /\/([^\0\t\n\f\r ()<>[\]{}/%]+)/g

export function* namesIn(text: string): Generator<string> {
  for (const { 1: written = '' } of text.matchAll(NAMES)) yield unescaped(written)
}

/** `#4a` is a way to write `J`. */
const unescaped = (name: string): string =>
  name.includes('#')
    ? name.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : name

const TOKENS = /%[^\r\n]*|\/([^\0\t\n\f\r ()<>[\]{}/%]*)|<<|>>|<[^<>]*|>|\(|[^%/<>(]+/y
const IN_STRING = /\\[^]?|[()]|[^\\()]+/y
const BLANKS = /[\0\t\n\f\r ]*(?:%[^\r\n]*[\r\n][\0\t\n\f\r ]*)*/y

/** The names of a dictionary, with those of dictionaries inside it, and where it ends. */
export type PdfDictionary = Readonly<{ names: ReadonlySet<string>; end: number }>

/**
 * The dictionary that begins here, after blanks; undefined where none does or it has no end. Of its names only those
 * that are wanted are kept.
 */
export function dictionaryAt(
  text: string,
  { start, wanted }: Readonly<{ start: number; wanted: ReadonlySet<string> }>,
): PdfDictionary | undefined {
  const names = new Set<string>()
  let at = skipBlanks(text, start)
  if (!text.startsWith('<<', at)) return undefined
  for (let depth = 0; at < text.length;) {
    TOKENS.lastIndex = at
    const [token, written] = TOKENS.exec(text) ?? ['']
    at += token.length
    if (written !== undefined) {
      const name = unescaped(written)
      if (wanted.has(name)) names.add(name)
    } else if (token === '(') at = afterString(text, at)
    else if (token === '<<') depth += 1
    else if (token === '>>' && --depth === 0) return { names, end: at }
  }
  return undefined
}

export function skipBlanks(text: string, from: number): number {
  BLANKS.lastIndex = from
  BLANKS.exec(text)
  return BLANKS.lastIndex
}

/** Parentheses may stand in a string in pairs, or behind a backslash. */
function afterString(text: string, from: number): number {
  let at = from
  for (let depth = 1; depth > 0 && at < text.length;) {
    IN_STRING.lastIndex = at
    const [part] = IN_STRING.exec(text) ?? ['']
    at += part.length
    if (part === '(') depth += 1
    else if (part === ')') depth -= 1
  }
  return at
}
