import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createKeyring, type Keyring } from '../../crypto/seal.ts'
import { systemClock, toWireTime } from '../../kernel/clock.ts'
import { openDatabase } from '../../infra/db/database.ts'
import {
  hasEmbeddedDatabase,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../infra/db/embedded-postgres.ts'
import { createLog, type Log } from '../../infra/logging/log.ts'
import { verifyMasterKeys } from '../../infra/settings/key-checks.ts'
import { mustReadMasterKey } from '../../infra/settings/master-key.ts'
import type { Settings } from '../../infra/settings/settings.ts'
import { isBackup, readArchive, writeArchive, type Entry } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { readSchemaVersion, withConnection } from './backup-store.ts'
import { databaseEntries, fileEntry } from './database-files.ts'

/** What the data folder remembers of its last backup, for `doctor` (OPER-95). */
const LAST_BACKUP = 'last-backup.json'
const ERASURES = 'erasures.jsonl'

/** When the last backup was made; undefined where none is known. */
export async function lastBackupAt(dataDir: string): Promise<Date | undefined> {
  const text = await readFile(join(dataDir, LAST_BACKUP), 'utf8').catch(() => '')
  // A full disk or a crash may have cut the file short: then none is known.
  const createdAt = /"createdAt":"([^"]+)"/.exec(text)?.[1] ?? ''
  return Number.isNaN(Date.parse(createdAt)) ? undefined : new Date(createdAt)
}

export type BackupRequest = Readonly<{ to: string; keep?: number | undefined }>

/** The embedded database has commands of its own; any other is backed up by its own tools (OPER-94). */
export function mustBeEmbedded({ databaseUrl }: Settings): void {
  if (databaseUrl === undefined) return
  throw new BackupError(
    'DATABASE_URL names a database of your own: back it up and restore it with its own tools, as docs/runbooks/backup.md says.',
  )
}

/**
 * One encrypted file with database, uploaded files and manifest (OPER-90); the service may run. It is read back whole
 * before it gets its name, so that a failed run leaves none (OPER-91).
 */
export async function makeBackup(settings: Settings, { to, keep }: BackupRequest) {
  mustBeEmbedded(settings)
  const { dataDir } = settings
  if (!hasEmbeddedDatabase(dataDir)) throw new BackupError(`There is no database in ${dataDir}.`)
  const path = resolve(to)
  if (await stat(path).catch(() => undefined)) throw new BackupError(`${path} exists already.`)
  const keyring = createKeyring(settings.masterKey ?? mustReadMasterKey(dataDir))
  const log = createLog({ logLevel: 'error' })
  const embedded = await startEmbeddedPostgres({ dataDir, log })
  const partial = `${path}.partial`
  // What cannot be removed is said when it cannot be written.
  const discard = () => rm(partial, { force: true }).catch(() => undefined)
  await discard()
  try {
    await mustBeOwnKey(embedded, keyring, log)
    const createdAt = toWireTime(systemClock.now())
    const manifest = await writeArchive(partial, {
      keyring,
      entries: entriesOf(dataDir, embedded),
      about: { schema: await withConnection(embedded.url, readSchemaVersion), createdAt },
    })
    await readArchive(partial, keyring, async ({ bytes }) => {
      for await (const chunk of bytes) void chunk
    })
    await rename(partial, path)
    await syncFolder(dirname(path))
    await writeFile(join(dataDir, LAST_BACKUP), JSON.stringify({ createdAt, path }))
    if (keep !== undefined) await removeOlder(path, keep)
    const { size } = await stat(path)
    return { ok: true, path, createdAt, files: manifest.files.length, bytes: size }
  } finally {
    await discard()
    await embedded.stop()
  }
}

/** Under another key the file would open with none that opens the database in it (OPER-83). */
async function mustBeOwnKey({ url }: EmbeddedPostgres, keyring: Keyring, log: Log): Promise<void> {
  const db = openDatabase({ url, poolSize: 1, log, keyring })
  try {
    await verifyMasterKeys({ db, keyring, clock: systemClock })
  } finally {
    await db.close()
  }
}

async function* entriesOf(dataDir: string, embedded: EmbeddedPostgres): AsyncGenerator<Entry> {
  const { url, folder } = embedded
  yield { folder: 'postgres/cluster' }
  yield* databaseEntries(url, { cluster: join(folder, 'cluster'), prefix: 'postgres/cluster' })
  yield await fileEntry(join(folder, 'password'), 'postgres/password')
  // After the database: a file that it names is on disk before.
  yield* uploadedFiles(dataDir)
  if (await stat(join(dataDir, ERASURES)).catch(() => undefined)) {
    yield await fileEntry(join(dataDir, ERASURES), ERASURES)
  }
}

async function* uploadedFiles(dataDir: string): AsyncGenerator<Entry> {
  const root = join(dataDir, 'files')
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of found.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const file = await fileEntry(path, `files/${path.slice(root.length + 1)}`).catch(
      (error: NodeJS.ErrnoException) => {
        // Erased since it was listed.
        if (error.code !== 'ENOENT') throw error
      },
    )
    if (file) yield file
  }
}

/** Of the backups in the same folder the newest `keep` stay. */
async function removeOlder(path: string, keep: number): Promise<void> {
  const folder = dirname(path)
  const found: { path: string; mtimeMs: number }[] = []
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    if (await isBackup(file)) found.push({ path: file, mtimeMs: (await stat(file)).mtimeMs })
  }
  const older = found.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(keep)
  for (const one of older) await rm(one.path)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
