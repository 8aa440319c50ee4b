/** The account under which the embedded server runs: PostgreSQL refuses to serve as root. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

export type Account = Readonly<{ uid: number; gid: number }>

/** In this order: an account made for the purpose, then the one that owns nothing. */
const NAMES = ['postgres', '_postgres', 'nobody']

export const isRoot = (): boolean => process.getuid?.() === 0

/** A row of /etc/passwd; macOS writes the id of `nobody` as -2, which every call but chown takes. */
function accountOf(row: string): Account {
  const [, , uid = '', gid = ''] = row.split(':')
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
}

/** As root an account without privileges, else undefined: this process's own. */
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

/** For `spawn`, whose ids are signed. */
export const spawnIdsOf = (account: Account | undefined): { uid?: number; gid?: number } =>
  account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 }

type Wish = Readonly<{ account: Account | undefined; path: string }>

/** Whether the account may read `path` and pass through every folder above it. This process itself may. */
export async function canRead({ account, path }: Wish): Promise<boolean> {
  return (
    account === undefined ||
    ((await allows({ account, path, bit: 0o4 })) &&
      (await canEnter({ account, path: dirname(await realpath(path)) })))
  )
}

/** Whether the account may pass through the folder `path` and every folder above it. */
export async function canEnter({ account, path }: Wish): Promise<boolean> {
  if (account === undefined) return true
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    if (!(await allows({ account, path: folder, bit: 0o1 }))) return false
    if (folder === dirname(folder)) return true
  }
}

async function allows(asked: { account: Account; path: string; bit: number }): Promise<boolean> {
  const { mode, uid, gid } = await stat(asked.path)
  const shift = uid === asked.account.uid ? 6 : gid === asked.account.gid ? 3 : 0
  return (mode & (asked.bit << shift)) !== 0
}
