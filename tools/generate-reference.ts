import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { format } from 'oxfmt'
import { ACCEPTED_REGEXES } from './regexes/accepted-regexes.ts'
import { recordRegexes, SAFE_REGEXES } from './regexes/safe-regexes.ts'
import { describeSchema } from './sql/describe-schema.ts'
import { withMigratedDatabase } from './sql/migrated-database.ts'
import { referenceFiles } from './reference/reference-files.ts'
import { SDK_GENERATED } from './sdk/sdk-files.ts'

const ROOT = join(import.meta.dirname, '..')
const SCHEMA = 'server/migrations/schema.sql'

/**
 * Writes everything that can be derived from the code: docs/reference, the README's tables, the typed part of the SDK.
 * Without `--check` also the schema snapshot, which needs a database (a test holds it), and the record of safe regular
 * expressions, which may need minutes of proofs (a step of `npm run check` holds it). With `--check` nothing is written:
 * what is not current is named and the exit status is 1.
 */
async function main(check: boolean): Promise<void> {
  const files = new Map(await referenceFiles(ROOT))
  if (!check) {
    files.set(SCHEMA, await withMigratedDatabase(describeSchema))
    files.set(SAFE_REGEXES, await recordRegexes(ROOT, ACCEPTED_REGEXES))
  }
  const stale: string[] = []
  for (const [path, text] of files) {
    const wanted = await formatted(path, text)
    const found = await readFile(join(ROOT, path), 'utf8').catch(() => '')
    if (found === wanted) continue
    stale.push(path)
    if (check) continue
    await mkdir(dirname(join(ROOT, path)), { recursive: true })
    await writeFile(join(ROOT, path), wanted)
  }
  for (const path of await leftOver(files)) {
    stale.push(path)
    if (!check) await rm(join(ROOT, path))
  }
  if (!check) return
  for (const path of stale) console.error(`${path} is not current: run npm run generate`)
  if (stale.length > 0) process.exitCode = 1
}

const STYLE = { semi: false, singleQuote: true, printWidth: 100, trailingComma: 'all' } as const

async function formatted(path: string, text: string): Promise<string> {
  if (path.endsWith('.json')) return (await format(path, text, { printWidth: 80 })).code
  return path.endsWith('.ts') ? (await format(path, text, STYLE)).code : text
}

/** Files of the SDK that were generated once and belong to nothing any more. */
async function leftOver(files: ReadonlyMap<string, string>): Promise<string[]> {
  const found = await Array.fromAsync(glob(`${SDK_GENERATED}/**/*.ts`, { cwd: ROOT }))
  return found.filter((path) => !files.has(path))
}

await main(process.argv.includes('--check'))
