import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { findRegexes, type Found } from './find-regexes.ts'

/** What was proven before: a proof takes seconds, and depends on nothing but what stands in this file. */
export const SAFE_REGEXES = 'tools/regexes/safe-regexes.txt'

/**
 * The same verdict in every run: where inputs are tried, they are the same, and what counts is how many characters are
 * read. Limits in time would call an expression dangerous because the machine stood still.
 */
const CHECKED = {
  randomSeed: 1,
  attackLimit: 10_000_000,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
}

const { version } = JSON.parse(
  readFileSync(new URL(import.meta.resolve('recheck/package.json')), 'utf8'),
) as { version: string }

/** The first line: what another version or other settings proved has to be proven again. */
const HEADING = `recheck ${version} ${JSON.stringify(CHECKED)}`

type Accepted = Readonly<Record<string, string>>

export type RegexReport = Readonly<{ count: number; problems: readonly string[] }>

/** Proves what is not recorded yet; `accepted` has expressions that cannot be proven, and why each is harmless. */
export async function checkRegexes(root: string, accepted: Accepted): Promise<RegexReport> {
  const used = findRegexes(root)
  const { isCurrent, literals: recorded } = readRecord(root)
  const problems = isCurrent ? [] : [`${SAFE_REGEXES}  was not made by ${HEADING}: ${RECORD}`]
  for (const [literal, found] of used) {
    if (literal in accepted || (isCurrent && recorded.has(literal))) continue
    const danger = await dangerOf(found)
    if (danger) problems.push(`${found.place}  ${literal}  ${danger}`)
    else if (isCurrent) problems.push(`${found.place}  ${literal}  is safe: ${RECORD}`)
  }
  for (const literal of recorded) {
    if (!used.has(literal)) problems.push(`${SAFE_REGEXES}  ${literal}  is used nowhere: ${RECORD}`)
    if (literal in accepted) problems.push(`${SAFE_REGEXES}  ${literal}  is accepted: ${RECORD}`)
  }
  for (const literal of Object.keys(accepted)) {
    if (used.has(literal)) continue
    problems.push(`tools/regexes/accepted-regexes.ts  ${literal}  is used nowhere`)
  }
  return { count: used.size, problems }
}

const RECORD = 'run npm run generate'

/** The text of the file: what is used and was proven, now or before. */
export async function recordRegexes(root: string, accepted: Accepted): Promise<string> {
  const { isCurrent, literals: recorded } = readRecord(root)
  const safe: string[] = []
  for (const [literal, found] of findRegexes(root)) {
    if (literal in accepted) continue
    const isKnown = isCurrent && recorded.has(literal)
    if (isKnown || (await dangerOf(found)) === undefined) safe.push(literal)
  }
  return [HEADING, ...safe.sort(), ''].join('\n')
}

function readRecord(root: string): { isCurrent: boolean; literals: ReadonlySet<string> } {
  const [heading, ...lines] = readFileSync(join(root, SAFE_REGEXES), 'utf8').split('\n')
  return { isCurrent: heading === HEADING, literals: new Set(lines.filter((line) => line !== '')) }
}

/** What is wrong with it; undefined where it was proven safe. */
async function dangerOf({ source, flags }: Found): Promise<string | undefined> {
  const verdict = await check(source, flags, CHECKED)
  if (verdict.status === 'safe') return undefined
  return verdict.status === 'vulnerable'
    ? `${verdict.complexity.summary} time`
    : 'could not be checked'
}
