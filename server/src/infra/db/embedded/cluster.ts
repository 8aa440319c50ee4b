/**
 * The folder of the embedded database, `postgres` in the data folder: `password` (of its two roles) and `cluster`
 * (PostgreSQL's own). It belongs to the account that the server runs under. Where that account cannot reach the data
 * folder (root keeps it below its home), the database lies elsewhere and `postgres` is a link to it.
 */
import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import {
  chmod,
  chown,
  lstat,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makePath } from '../../files/make-path.ts'
import { canEnter, isRoot, pickAccount, spawnIdsOf, type Account } from './account.ts'
import {
  findPackage,
  mustRun,
  prepareBinaries,
  SERVER_ENVIRONMENT,
  type Binaries,
} from './binaries.ts'
import { isInPlaceAlready, makeFolderAt } from './draft.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

export type Cluster = Readonly<{
  folder: string
  password: string
  account: Account | undefined
  binaries: Binaries
}>

export type ClusterPlace = Readonly<{
  dataDir: string
  /** As root: the folder for programs and databases that the server's account could not reach elsewhere. */
  reachableDir: string
}>

/** The owner of the tables, for migrations and backups. */
export const OWNER = 'florin'
/** The role of the service, which cannot change audit entries (OPER-52). */
export const SERVICE_ROLE = 'florin_service'
const MAJOR = '18'
const PASSWORD_BYTES = 32

export const dataFolderOf = (cluster: Pick<Cluster, 'folder'>): string =>
  join(cluster.folder, 'cluster')

/** The cluster of the data folder; created if there is none. */
export async function openCluster(place: ClusterPlace): Promise<Cluster> {
  await makePath(place.dataDir)
  const made = await findFolder(place.dataDir)
  const account = made === undefined ? await pickAccount() : await accountOf(made)
  const copiesDir = account === undefined ? place.dataDir : place.reachableDir
  const binaries = await prepareBinaries({ package: await findPackage(), account, copiesDir })
  const folder =
    made ??
    (await makeFolder({ ...place, account }, (draft) => fillFolder(draft, { account, binaries })))
  return { folder, account, binaries, password: await readPassword(folder) }
}

async function findFolder(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, 'postgres')
  if ((await lstat(path).catch(() => undefined)) === undefined) return undefined
  const folder = await realpath(path).catch(() => undefined)
  if (folder === undefined) {
    throw new EmbeddedPostgresError(
      `${path} is a link to a database that is gone. Bring it back, or remove the link to start with an empty one.`,
    )
  }
  return folder
}

/** The account that owns an existing database; root, the owner after a restored backup, is replaced. */
async function accountOf(folder: string): Promise<Account | undefined> {
  const { uid, gid } = await stat(folder)
  if (!isRoot()) {
    if (uid === process.getuid?.()) return undefined
    throw new EmbeddedPostgresError(
      `${folder} belongs to another user (id ${uid}). Start the service as that user or as root.`,
    )
  }
  if (uid !== 0) return { uid, gid }
  const account = await pickAccount()
  if (account !== undefined) await chownAll(folder, account)
  return account
}

async function chownAll(folder: string, { uid, gid }: Account): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), uid, gid)
  }
  await chown(folder, uid, gid)
}

async function readPassword(folder: string): Promise<string> {
  const [version, password] = await Promise.all(
    ['cluster/PG_VERSION', 'password'].map((name) =>
      readFile(join(folder, name), 'utf8').catch(() => undefined),
    ),
  )
  if (version === undefined || password === undefined) {
    throw new EmbeddedPostgresError(`${folder} does not hold an embedded database.`)
  }
  if (version.trim() !== MAJOR) {
    throw new EmbeddedPostgresError(
      `${folder} was made by PostgreSQL ${version.trim()}, this release brings ${MAJOR}. ` +
        'Copy the data over with pg_dump, or set DATABASE_URL.',
    )
  }
  return password.trim()
}

/** Creates a cluster from existing files: `fill` puts `password` and `cluster` into an empty folder. */
export async function adoptFolder(
  place: ClusterPlace,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const account = await pickAccount()
  await makeFolder({ ...place, account }, async (draft) => {
    await fill(draft)
    if (account !== undefined) await chownAll(draft, account)
  })
}

type Making = ClusterPlace & Readonly<{ account: Account | undefined }>

/** Creates the folder in place, or where the account can reach it, with a link in place. */
async function makeFolder(
  { dataDir, reachableDir, account }: Making,
  fill: (draft: string) => Promise<void>,
): Promise<string> {
  const path = join(dataDir, 'postgres')
  if (account !== undefined) await letThrough({ dataDir, account })
  if (await canEnter({ account, path: dataDir })) {
    await makeFolderAt(path, fill)
    return realpath(path)
  }
  // A fresh name each time: a data folder that was removed must not find its old database again.
  const elsewhere = join(reachableDir, `database-${randomBytes(6).toString('hex')}`)
  await makeFolderAt(elsewhere, fill)
  try {
    await symlink(elsewhere, path)
  } catch (error) {
    await rm(elsewhere, { recursive: true, force: true })
    if (!isInPlaceAlready(error)) throw error
  }
  return realpath(path)
}

/** Lets the account enter a data folder that only root may enter, without letting it list the folder. */
async function letThrough({ dataDir, account }: { dataDir: string; account: Account }) {
  const { uid, mode } = await stat(dataDir)
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) return
  await chown(dataDir, uid, account.gid)
  await chmod(dataDir, (mode & 0o700) | 0o010)
}

async function fillFolder(
  folder: string,
  { account, binaries }: Readonly<{ account: Account | undefined; binaries: Binaries }>,
): Promise<void> {
  await mustRun(binaries, account)
  const password = `${randomBytes(PASSWORD_BYTES).toString('hex')}\n`
  await writeFile(join(folder, 'password'), password, { mode: 0o600 })
  if (account !== undefined) await chownAll(folder, account)
  await initialise({ folder, account, binaries })
}

async function initialise(of: {
  folder: string
  account: Account | undefined
  binaries: Binaries
}): Promise<void> {
  const args = [
    `--pgdata=${join(of.folder, 'cluster')}`,
    `--username=${OWNER}`,
    `--pwfile=${join(of.folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Text compares by code point and changes case by Unicode, the same on every machine.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    '--no-instructions',
  ]
  const options = { cwd: '/', env: SERVER_ENVIRONMENT, ...spawnIdsOf(of.account) }
  await promisify(execFile)(of.binaries.initdb, args, options).catch((error: unknown) => {
    const { stderr = '' } = error as { stderr?: string }
    const advice = stderr.includes('could not look up effective user ID')
      ? ' This user has no name on this machine; start the service as one that has, or set DATABASE_URL.'
      : ''
    throw new EmbeddedPostgresError(
      `The embedded database could not be initialised: ${stderr.trim()}.${advice}`,
      { cause: error },
    )
  })
}
