/**
 * Holds every regular expression of the service and the SDK against a ReDoS checker: one whose time grows faster than its
 * input lets a single request stop the process. Part of `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import ts from 'typescript'
import { ACCEPTED_REGEXES } from './accepted-regexes.ts'

type Found = Readonly<{ place: string; source: string; flags: string }>

const root = join(import.meta.dirname, '../..')
const FOLDERS = ['server/src', 'sdk/src']
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

/** Where one may begin, as the formatter writes it: parsing every file takes seconds. */
const MAY_BEGIN = /(?:^|[\s([{!,;:=?&|>])\/(?![/*])/m

function regexesIn(file: string): Found[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (!MAY_BEGIN.test(text)) return []
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      const end = node.text.lastIndexOf('/')
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)]
      found.push({ place: `${file}:${line + 1}`, source, flags })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

const files = FOLDERS.flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,js}`, { cwd: root, exclude: (path) => /\.test\.ts$/.test(path) }),
).sort()
const bySource = new Map(
  files.flatMap(regexesIn).map((found) => [`/${found.source}/${found.flags}`, found]),
)
const problems: string[] = []
for (const [literal, { place, source, flags }] of bySource) {
  if (literal in ACCEPTED_REGEXES) continue
  const verdict = await check(source, flags, CHECKED)
  if (verdict.status === 'safe') continue
  const why =
    verdict.status === 'vulnerable' ? `${verdict.complexity.summary} time` : 'could not be checked'
  problems.push(`${place}  ${literal}  ${why}`)
}
const unused = Object.keys(ACCEPTED_REGEXES).filter((literal) => !bySource.has(literal))
for (const literal of unused)
  problems.push(`tools/regexes/accepted-regexes.ts  ${literal}  is used nowhere`)
for (const problem of problems) console.log(problem)
console.log(`${bySource.size} regular expressions, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
