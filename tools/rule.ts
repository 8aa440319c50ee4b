/**
 * What a rule says, where it is proved and where it is kept: `npm run rule -- CORE-32` prints its sentence in
 * docs/specification, the tests whose titles carry its id, and the places in the source that name it.
 */
import { fileURLToPath } from 'node:url'
import { citationsOf, ruleIdOf, type Citation } from './specification/rule-citations.ts'
import { areaOf, chaptersIn, type SpecifiedRule } from './specification/specification.ts'
import { readTexts } from './tidy/project/project.ts'

const texts = readTexts(fileURLToPath(new URL('..', import.meta.url)))
const rules = chaptersIn(texts).flatMap((chapter) => chapter.rules)
const given = process.argv[2] ?? ''
const id = ruleIdOf(given)
const rule = rules.find((known) => known.id === id)

if (rule === undefined) {
  console.error(unknown())
  process.exitCode = 1
} else {
  printRule(rule)
  const { tests, sources } = citationsOf(rule.id, texts)
  printCitations('Proved by', tests)
  printCitations('Kept in', sources)
}

function printRule({ id, text, file, line, isBuilt }: SpecifiedRule): void {
  console.log(`${id}${isBuilt ? '' : ' (not built yet)'}\n`)
  console.log(`${text.replace(/^/gm, '  ')}\n    ${file}:${line}\n`)
}

function printCitations(heading: string, citations: readonly Citation[]): void {
  if (citations.length === 0) return
  console.log(`${heading}\n`)
  for (const { file, line, text } of citations) console.log(`  ${text}\n    ${file}:${line}`)
  console.log('')
}

/** What there is near an id that is none, so that a typing error is seen at once. */
function unknown(): string {
  const area = areaOf(id ?? '')
  const ofArea = rules.filter((known) => areaOf(known.id) === area)
  if (ofArea.length > 0) {
    return `No rule ${id}. There are ${ofArea.map((known) => known.id).join(', ')}.`
  }
  const areas = [...new Set(rules.map((known) => areaOf(known.id)))].sort().join(', ')
  const problem =
    given === '' ? 'Which rule? For example: npm run rule -- CORE-32' : `No rule ${given}.`
  return `${problem}\nThere are rules of ${areas}.`
}
