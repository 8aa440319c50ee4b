/** The account under which the embedded server runs: PostgreSQL refuses to serve as root. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

export type Account = Readonly<{ uid: number; gid: number }>

/** In order of preference: the account of PostgreSQL, then one without rights. */
const NAMES = ['postgres', '_postgres', 'nobody']

export const isRoot = (): boolean => process.getuid?.() === 0

/** Parses a row of /etc/passwd. macOS writes the id of `nobody` as -2, which chown does not accept. */
function accountOf(row: string): Account {
  const [, , uid = '', gid = ''] = row.split(':')
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
}

/** For root an account without privileges; undefined for this process's own account. */
export async function pickAccount(): Promise<Account | undefined> {
  if (!isRoot()) return undefined
  const rows = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  for (const name of NAMES) {
    const row = rows.find((one) => one.startsWith(`${name}:`))
    if (row !== undefined) return accountOf(row)
  }
  throw new EmbeddedPostgresError(
    'The embedded database does not run as root, and this machine has no account `postgres` or ' +
      '`nobody` to run it under. Start the service as an ordinary user, or set DATABASE_URL.',
  )
}

/** The ids for `spawn`, which are signed. */
export const spawnIdsOf = (account: Account | undefined): { uid?: number; gid?: number } =>
  account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 }

type AccessQuery = Readonly<{ account: Account | undefined; path: string }>

/** Whether the account may read `path` and enter every folder above it; always true for this process's own account. */
export async function canRead({ account, path }: AccessQuery): Promise<boolean> {
  return (
    account === undefined ||
    ((await allows({ account, path, bit: 0o4 })) &&
      (await canEnter({ account, path: dirname(await realpath(path)) })))
  )
}

/** Whether the account may enter the folder `path` and every folder above it. */
export async function canEnter({ account, path }: AccessQuery): Promise<boolean> {
  if (account === undefined) return true
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    if (!(await allows({ account, path: folder, bit: 0o1 }))) return false
    if (folder === dirname(folder)) return true
  }
}

async function allows(query: { account: Account; path: string; bit: number }): Promise<boolean> {
  const { mode, uid, gid } = await stat(query.path)
  const shift = uid === query.account.uid ? 6 : gid === query.account.gid ? 3 : 0
  return (mode & (query.bit << shift)) !== 0
}
