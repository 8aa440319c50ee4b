import { access, constants, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Keyring } from '../../crypto/seal.ts'
import { systemClock } from '../../kernel/clock.ts'
import { openDatabase } from '../../infra/db/database.ts'
import { placeEmbeddedDatabase, startEmbeddedPostgres } from '../../infra/db/embedded-postgres.ts'
import { migrate, readMigrations } from '../../infra/db/migrate.ts'
import { verifyMasterKeys } from '../../infra/settings/key-checks.ts'
import { createLog } from '../../infra/logging/log.ts'
import { keyringOf, mustReadMasterKey } from '../../infra/settings/master-key.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import { chainPending } from '../audit/chain-worker.ts'
import { verifyAudit } from '../audit/verify.ts'
import { checkLedger } from '../../ledger/reports/check-ledger.ts'
import { askBeforeSending } from '../../orders/index.ts'
import { makeFolder, writeNewFile } from '../../infra/files/new-file.ts'
import { cannotRead } from '../../infra/files/text-file.ts'
import { readArchive, type Stored } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { passOverEventNumbers } from './backup-store.ts'
import { mustBeEmbedded } from './make-backup.ts'

export type RestoreRequest = Readonly<{ from: string; dataDir: string }>

/** More events than any platform was sent since the backup, so that no number is used twice (OPER-93). */
const EVENT_NUMBERS_PASSED_OVER = 1_000_000n

/**
 * Brings a backup into an empty data folder and proves it: every digest, the master key, the ledger, the audit (OPER-92). Whatever
 * is not well leaves the folder as it is, for inspection. The service is not started.
 */
export async function restoreBackup(settings: Settings, { from, dataDir }: RestoreRequest) {
  mustBeEmbedded(settings)
  await access(from, constants.R_OK).catch(cannotRead(from))
  const target = resolve(dataDir)
  await mustBeEmpty(target)
  const ownKey = settings.masterKey === undefined ? mustReadMasterKey(settings.dataDir) : undefined
  const keyring = keyringOf({ ...settings, masterKey: settings.masterKey ?? ownKey ?? '' })
  const createdAt = await extract(from, keyring, target)
  // In development the key lies in the data folder; it is no part of the backup.
  if (ownKey !== undefined)
    await writeFile(join(target, 'master.key'), `${ownKey}\n`, { mode: 0o600 })
  const log = createLog({ logLevel: 'error' })
  const embedded = await startEmbeddedPostgres({ dataDir: target, log })
  const db = openDatabase({ url: embedded.url, poolSize: 2, log, keyring, statementTimeoutMs: 0 })
  try {
    await migrate(embedded.url)
    await verifyMasterKeys({ db, keyring, clock: systemClock })
    await passOverEventNumbers(db.read, EVENT_NUMBERS_PASSED_OVER)
    await askBeforeSending(db.read, systemClock.now())
    const { ok, entries, problems } = await checkLedger(db)
    await chainPending({ db, clock: systemClock })
    const audit = await verifyAudit({ db, clock: systemClock }, { platformId: null, anchors: [] })
    const chains = audit.platforms.filter((one) => one.head ?? one.problems[0])
    return { ok: ok && audit.ok, createdAt, entries, problems, chains }
  } finally {
    await db.close()
    await embedded.stop()
  }
}

const DATABASE = 'postgres/'

/** Files of the database go where its server can reach them, all others into the data folder. Answers when it was made. */
async function extract(from: string, keyring: Keyring, target: string): Promise<string> {
  let createdAt = ''
  await placeEmbeddedDatabase(target, async (folder) => {
    const manifest = await readArchive(from, keyring, (stored) =>
      stored.name.startsWith(DATABASE)
        ? put(folder, { ...stored, name: stored.name.slice(DATABASE.length) })
        : put(target, stored),
    )
    await mustKnowSchema(manifest.schema)
    createdAt = manifest.createdAt
  })
  return createdAt
}

async function mustBeEmpty(folder: string): Promise<void> {
  await makeFolder(folder, { mayExist: true })
  if ((await readdir(folder)).length === 0) return
  throw new BackupError(`${folder} is not empty. Restore into an empty or new folder.`)
}

async function mustKnowSchema(schema: number): Promise<void> {
  const newest = (await readMigrations()).at(-1)?.version ?? 0
  if (schema <= newest) return
  throw new BackupError(
    `The backup has schema ${schema}, this release knows ${newest}: restore it with the release that made it, or a newer one.`,
  )
}

async function put(target: string, { name, isFolder, bytes }: Stored): Promise<void> {
  const path = join(target, name)
  if (!path.startsWith(target + sep)) throw new BackupError(`${name} leads out of the folder.`)
  await makeFolder(isFolder ? path : dirname(path), { mayExist: true })
  if (!isFolder) await writeNewFile(path, bytes)
}
