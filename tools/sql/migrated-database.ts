import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../server/src/infra/db/embedded-postgres.ts'
import { migrate } from '../../server/src/infra/db/migrate.ts'
import { createLog } from '../../server/src/infra/logging/log.ts'

/** Gives `use` a database of its own, migrated and empty, and leaves nothing behind. */
export async function withMigratedDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-tool-'))
  const database = await startEmbeddedPostgres({ dataDir, log: createLog({ logLevel: 'fatal' }) })
  try {
    await migrate(database.url)
    return await use(database.url)
  } finally {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
