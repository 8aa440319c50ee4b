import { isCode, isTest } from '../tidy/project/places.ts'

/** One line that names a rule: the title of a test, or what the source says there. */
export type Citation = Readonly<{ file: string; line: number; text: string }>

export type Citations = Readonly<{ tests: readonly Citation[]; sources: readonly Citation[] }>

const ID = /^[A-Z]+-\d+$/

/** `core-32` as it is written everywhere; undefined for what is no id at all. */
export const ruleIdOf = (given: string): string | undefined => {
  const id = given.toUpperCase()
  return ID.test(id) ? id : undefined
}

/** Where the rule is proved and where it is kept. */
export function citationsOf(id: string, texts: ReadonlyMap<string, string>): Citations {
  const found = [...texts].flatMap(([file, text]) => (mayCite(file) ? linesOf(id, file, text) : []))
  return {
    tests: found.filter(({ file }) => isTest(file)),
    sources: found.filter(({ file }) => !isTest(file)),
  }
}

/**
 * Chapters name each other's rules, generated files repeat what the source says, and tools and their tests name ids
 * only as examples.
 */
export const mayCite = (file: string): boolean =>
  (isCode(file) || /\.(sql|md)$/.test(file)) &&
  !/^(tools|docs\/(reference|specification)|sdk\/src\/generated)\//.test(file) &&
  file !== 'server/migrations/schema.sql'

function linesOf(id: string, file: string, text: string): Citation[] {
  const names = new RegExp(`(?<![\\w-])${id}(?!\\d)`)
  return text
    .split('\n')
    .flatMap((line, index) =>
      names.test(line) ? [{ file, line: index + 1, text: saidIn(line, names) }] : [],
    )
}

/** The string that holds the id, else the whole line without the marks of a comment. */
function saidIn(line: string, names: RegExp): string {
  const strings = [...line.matchAll(/(['"`])((?:(?!\1).)*)\1/g)].map(([, , inside = '']) => inside)
  return (
    strings.find((inside) => names.test(inside)) ??
    line.trim().replace(/^(\/\*\*|\*|\/\/|--)\s*|\s*\*\/$/g, '')
  )
}
