import { systemClock } from '../kernel/clock.ts'
import { openDatabase } from '../infra/db/database.ts'
import {
  hasEmbeddedDatabase,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../infra/db/embedded-postgres.ts'
import { addressesOf } from '../infra/db/addresses.ts'
import { migrate, mustBeMigrated } from '../infra/db/migrate.ts'
import type { Deps } from '../infra/deps.ts'
import { openFileStore } from '../infra/files/files.ts'
import type { Log } from '../infra/logging/log.ts'
import { verifyMasterKeys } from '../infra/settings/key-checks.ts'
import { ensureMasterKey, keyringOf, mustReadMasterKey } from '../infra/settings/master-key.ts'
import { SettingsError } from '../infra/settings/settings-error.ts'
import type { Settings } from '../infra/settings/settings.ts'
import type { Reactions } from '../infra/work/reactions.ts'
import { createOutgoing } from '../infra/outbound/ssrf.ts'
import { emptyProviders } from '../infra/providers/registry.ts'

export type Operator = Readonly<{ deps: Deps; close(): Promise<void> }>

export type OperatorOptions = Readonly<{
  /** For the command that migrates: an old schema is accepted, and a missing database is created. */
  toleratesOldSchema?: boolean | undefined
}>

/** Throws a SettingsError that names the searched folder, in case another installation was meant. */
function mustExist({ dataDir }: Settings): void {
  if (hasEmbeddedDatabase(dataDir)) return
  throw new SettingsError([
    `There is no database in ${dataDir}. Name the folder of your installation with DATA_DIR, or its database with DATABASE_URL; \`npm start\` makes a new one.`,
  ])
}

/** Loaded when needed: reactions import every feature, and most commands raise no internal event. */
async function loadReactions(): Promise<Reactions> {
  const { createReactions } = await import('./reactions.ts')
  return createReactions({ callers: { forget: () => undefined } })
}

/**
 * Opens the dependencies of an operator's command: the same database and rules as the service, without serving. Beside a
 * running service it uses that service's embedded database; alone it starts the database for as long as needed. The
 * embedded database is migrated to this checkout. Any other may serve older processes: it is migrated only by the command
 * for that, and one that is behind is refused with a MigrationError.
 */
export async function openOperator(
  settings: Settings,
  log: Log,
  options: OperatorOptions = {},
): Promise<Operator> {
  if (!settings.databaseUrl && !options.toleratesOldSchema) mustExist(settings)
  const embedded = settings.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: settings.dataDir, log })
  try {
    return await openOn(embedded, settings, { log, ...options })
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

async function openOn(
  embedded: EmbeddedPostgres | undefined,
  settings: Settings,
  { log, toleratesOldSchema = false }: OperatorOptions & { log: Log },
): Promise<Operator> {
  const { databaseUrl, databaseOwnerUrl } = addressesOf(settings, embedded)
  if (!toleratesOldSchema) {
    await (embedded
      ? migrate(databaseOwnerUrl, { serviceUrl: databaseUrl, isDirect: true })
      : mustBeMigrated(databaseUrl))
  }
  const ownKey = toleratesOldSchema ? ensureMasterKey : mustReadMasterKey
  const masterKey = settings.masterKey ?? ownKey(settings.dataDir)
  const keyring = keyringOf({ ...settings, masterKey })
  const db = openDatabase({
    url: databaseUrl,
    poolSize: settings.databasePoolSize,
    log,
    keyring,
    statementTimeoutMs: 0,
  })
  const outgoing = createOutgoing(settings)
  const deps: Deps = {
    settings: { ...settings, databaseUrl, databaseOwnerUrl, masterKey },
    db,
    log,
    clock: systemClock,
    keyring,
    files: openFileStore({ dataDir: settings.dataDir, keyring }),
    reactions: loadReactions,
    outgoing,
    providers: emptyProviders({ db, log, clock: systemClock, keyring, settings }),
    wake: () => undefined,
  }
  const disconnect = async (): Promise<void> => {
    await db.close()
    for (const fetch of Object.values(outgoing)) fetch.close()
  }
  try {
    if (!toleratesOldSchema) await Promise.all([verifyMasterKeys(deps), deps.providers.refresh()])
  } catch (error) {
    await disconnect()
    throw error
  }
  return {
    deps,
    async close() {
      await disconnect()
      await embedded?.stop()
    },
  }
}
