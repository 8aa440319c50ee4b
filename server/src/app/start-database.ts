import { access, constants } from 'node:fs/promises'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../infra/db/embedded-postgres.ts'
import { makePath } from '../infra/files/make-path.ts'
import type { Log } from '../infra/logging/log.ts'
import type { Settings } from '../infra/settings/settings.ts'

/** The service cannot start, for a reason that the operator can fix. */
export class StartError extends Error {
  override name = 'StartError'
  /** The setting to change. */
  readonly setting: string
  constructor(message: string, setting: string) {
    super(message)
    this.setting = setting
  }
}

export type StartedDatabase = Readonly<{ embedded: EmbeddedPostgres | undefined; log: Log }>

/** Prepares the data folder and, without a DATABASE_URL, starts the embedded database. */
export async function startDatabase(
  settings: Settings,
  log: Log,
  onLaunched?: () => void,
): Promise<StartedDatabase> {
  const { dataDir, databaseUrl } = settings
  await prepareFolder(dataDir)
  const embedded = databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir, log, onLaunched })
  return { embedded, log }
}

/** The folder has keys, documents and the database, so it is private to this user and must be writable. */
async function prepareFolder(dataDir: string): Promise<void> {
  try {
    await makePath(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `${dataDir} cannot be used (${code}). Set DATA_DIR to a folder in which this user may write.`,
      'DATA_DIR',
    )
  }
}
