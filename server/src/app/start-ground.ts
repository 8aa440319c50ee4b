import { access, constants } from 'node:fs/promises'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../infra/db/embedded-postgres.ts'
import { makePath } from '../infra/files/make-path.ts'
import type { Log } from '../infra/logging/log.ts'
import type { Settings } from '../infra/settings/settings.ts'

/** The service cannot start, for a reason that the operator can mend. */
export class StartError extends Error {
  override name = 'StartError'
  /** What to set to another value. */
  readonly setting: string
  constructor(message: string, setting: string) {
    super(message)
    this.setting = setting
  }
}

export type Ground = Readonly<{ embedded: EmbeddedPostgres | undefined; log: Log }>

/** The folder of the data and, where no other database is named, the embedded one: it starts while the service is loaded. */
export async function startGround(
  settings: Settings,
  log: Log,
  onLaunched?: () => void,
): Promise<Ground> {
  const { dataDir, databaseUrl } = settings
  await prepareFolder(dataDir)
  const embedded = databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir, log, onLaunched })
  return { embedded, log }
}

/** Keys, documents and the database lie there: nobody else on this machine looks in, and the service must write. */
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
