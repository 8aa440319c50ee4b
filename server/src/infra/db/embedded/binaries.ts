/** The programs `initdb` and `postgres`, which npm brings in a package for each platform. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, readdir, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { canRead, spawnIdsOf, type Account } from './account.ts'
import { makeFolderAt } from './draft.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

export type Binaries = Readonly<{
  initdb: string
  postgres: string
}>

/** `native` holds the programs; `version` names the package, so that copies of two releases never mix. */
type Package = Readonly<{ native: string; version: string }>

/** The server gets none of our environment variables, because it runs under another account and some are secrets. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

export async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
    const manifest = await readFile(join(folder, 'package.json'), 'utf8')
    const { version } = JSON.parse(manifest) as { version: string }
    return { native: join(folder, 'native'), version }
  } catch (error) {
    throw new EmbeddedPostgresError(
      `There is no embedded database for ${process.platform}-${process.arch} (the npm package ` +
        `${name} is not installed). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause: error },
    )
  }
}

type BinariesQuery = Readonly<{
  package: Package
  account: Account | undefined
  /** Where to keep a copy, if the account cannot reach the installed programs. */
  copiesDir: string
}>

/** Programs that run under the account: those that npm installed, else a copy of them. */
export async function prepareBinaries(query: BinariesQuery): Promise<Binaries> {
  const inPlace = (await isWithinReach(query)) && (await linkLibraries(query.package.native))
  const bin = join(inPlace ? query.package.native : await copyPackage(query), 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

async function isWithinReach({ package: { native }, account }: BinariesQuery): Promise<boolean> {
  const paths = [...['initdb', 'postgres'].map((name) => join(native, 'bin', name))]
  paths.push(join(native, 'lib'), join(native, 'share'))
  const reach = await Promise.all(paths.map((path) => canRead({ account, path })))
  return reach.every(Boolean)
}

/**
 * Creates the links between library names that npm packages cannot contain. The package does so itself when it is
 * installed, unless install scripts are switched off. Returns false where it may not write.
 */
async function linkLibraries(native: string): Promise<boolean> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    // Both are named from the package's folder and lie beside each other.
    const link = join(dirname(native), target)
    if (await lstat(link).catch(() => undefined)) continue
    try {
      await symlink(basename(source), link)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}

/** Copies the package, owned by this process and readable for all, so that the account cannot change what it runs. */
async function copyPackage({
  package: { native, version },
  copiesDir,
}: BinariesQuery): Promise<string> {
  const copy = join(copiesDir, `postgresql-${version}`)
  if (!existsSync(copy)) {
    await makeFolderAt(copy, async (draft) => {
      await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
      await linkLibraries(join(draft, 'native'))
      await openForReading(draft)
    })
  }
  return join(copy, 'native')
}

async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const isProgram = basename(entry.parentPath) === 'bin'
    if (entry.isDirectory() || isProgram) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, 0o644)
  }
}

const runsAs = (account: Account | undefined, [program = '', ...args]: readonly string[]) =>
  promisify(execFile)(program, args, { cwd: '/', env: SERVER_ENVIRONMENT, ...spawnIdsOf(account) })

/** Throws if the programs cannot run on this machine; called before a database is created. */
export async function mustRun({ postgres }: Binaries, account: Account | undefined): Promise<void> {
  await runsAs(account, [postgres, '--version']).catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      'The embedded database does not run on this machine (it needs glibc, so not Alpine Linux). ' +
        'Set DATABASE_URL to a PostgreSQL 15 or newer.',
      { cause: error },
    )
  })
}

/** The command in front of `postgres` that stops it when this process dies; empty where the machine has none. */
export async function findLauncher(account: Account | undefined): Promise<readonly string[]> {
  // A fast shutdown, as if we had stopped it ourselves.
  const launcher = ['setpriv', '--pdeathsig', 'INT', '--']
  return runsAs(account, [...launcher, 'true']).then(
    () => launcher,
    () => [],
  )
}
