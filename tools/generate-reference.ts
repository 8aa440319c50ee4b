import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'prettier'
import { startEmbeddedPostgres } from '../server/src/infra/db/embedded-postgres.ts'
import { migrate } from '../server/src/infra/db/migrate.ts'
import { createLog } from '../server/src/infra/log.ts'
import { describeSchema } from './describe-schema.ts'
import { referenceFiles } from './reference/reference-files.ts'

const ROOT = join(import.meta.dirname, '..')
const SCHEMA = 'server/migrations/schema.sql'

/**
 * Writes everything that can be derived from the code: docs/reference, the README's settings table and, without
 * `--check`, the schema snapshot (which needs a database; in the tests it has a test of its own). With `--check`
 * nothing is written: what is not current is named and the exit status is 1.
 */
async function main(check: boolean): Promise<void> {
  const files = new Map(await referenceFiles(ROOT))
  if (!check) files.set(SCHEMA, await schemaOfFreshDatabase())
  const stale: string[] = []
  for (const [path, text] of files) {
    const wanted = path.endsWith('.json') ? await format(text, { parser: 'json' }) : text
    const found = await readFile(join(ROOT, path), 'utf8').catch(() => '')
    if (found === wanted) continue
    stale.push(path)
    if (!check) await writeFile(join(ROOT, path), wanted)
  }
  if (!check) return
  for (const path of stale) console.error(`${path} is not current: run npm run generate`)
  if (stale.length > 0) process.exitCode = 1
}

async function schemaOfFreshDatabase(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-generate-'))
  const database = await startEmbeddedPostgres({ dataDir, log: createLog({ logLevel: 'fatal' }) })
  try {
    await migrate(database.url)
    return await describeSchema(database.url)
  } finally {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main(process.argv.includes('--check'))
