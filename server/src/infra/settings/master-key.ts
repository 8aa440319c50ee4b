/** The key that a development installation makes for itself; production is given one (CORE-82). */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  createKeyring,
  MASTER_KEY_FORM,
  parseMasterKeys,
  type Keyring,
} from '../../crypto/keyring.ts'
import { SettingsError } from './settings-error.ts'

const KEY_BYTES = 32

/** The keys of the service, as its settings have them. */
export const keyringOf = ({
  masterKey,
  sealContactData,
}: Readonly<{ masterKey: string; sealContactData: 'on' | 'off' }>): Keyring =>
  createKeyring(masterKey, { sealsContactData: sealContactData === 'on' })

/**
 * The development installation's own key, made on first use in the data folder, readable by its
 * owner alone. A file that holds something else is refused, never replaced: whatever was sealed
 * with it would be lost.
 */
export function ensureMasterKey(dataDir: string): string {
  const path = pathIn(dataDir)
  return checkedKey(path, readKeyFile(path) ?? makeKeyFile({ dataDir, path }))
}

/** The same for a command, which makes nothing. */
export function mustReadMasterKey(dataDir: string): string {
  const path = pathIn(dataDir)
  const found = readKeyFile(path)
  if (found !== undefined) return checkedKey(path, found)
  throw new SettingsError([
    `MASTER_KEY is not set and there is no key in ${path}. Give the key of your installation, or name its folder with DATA_DIR.`,
  ])
}

const pathIn = (dataDir: string): string => join(dataDir, 'master.key')

function checkedKey(path: string, found: string): string {
  if (parseMasterKeys(found) === undefined) {
    throw new SettingsError([`${path} does not hold ${MASTER_KEY_FORM}.`])
  }
  return found
}

function readKeyFile(path: string): string | undefined {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Written aside and then linked, so that of two processes starting at once both use one whole key. */
function makeKeyFile(file: { dataDir: string; path: string }): string {
  mkdirSync(file.dataDir, { recursive: true, mode: 0o700 })
  const aside = `${file.path}.${randomBytes(6).toString('hex')}`
  const handle = openSync(aside, 'wx', 0o600)
  try {
    writeSync(handle, `${randomBytes(KEY_BYTES).toString('base64url')}\n`)
    fsyncSync(handle)
    linkSync(aside, file.path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(handle)
    rmSync(aside)
  }
  return readFileSync(file.path, 'utf8').trim()
}
