/**
 * Where a rule is proved and kept: `npm run rule -- CORE-32` prints the tests whose titles carry its id, which say what
 * it demands, and the places in the source that name it.
 */
import { fileURLToPath } from 'node:url'
import { citationsOf, knownRules, ruleIdOf, type Citation } from './rule-citations.ts'
import { readTexts } from './tidy/project.ts'

const texts = readTexts(fileURLToPath(new URL('..', import.meta.url)))
const given = process.argv[2] ?? ''
const id = ruleIdOf(given)
const { tests, sources } = id === undefined ? { tests: [], sources: [] } : citationsOf(id, texts)

if (tests.length + sources.length > 0) {
  print('Proved by', tests)
  print('Kept in', sources)
} else {
  console.error(unknown())
  process.exitCode = 1
}

function print(heading: string, citations: readonly Citation[]): void {
  if (citations.length === 0) return
  console.log(`${heading}\n`)
  for (const { file, line, text } of citations) console.log(`  ${text}\n    ${file}:${line}`)
  console.log('')
}

function unknown(): string {
  const known = knownRules(texts)
  const [area = ''] = (id ?? '').split('-')
  const numbers = known.get(area)
  if (numbers !== undefined) return `No rule ${id}. Of ${area} there are ${numbers.join(', ')}.`
  const areas = [...known.keys()].join(', ')
  const problem =
    given === '' ? 'Which rule? For example: npm run rule -- CORE-32' : `No rule ${given}.`
  return `${problem}\nThere are rules of ${areas}.`
}
