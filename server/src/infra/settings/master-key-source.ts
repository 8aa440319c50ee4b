/** Where the master key comes from besides MASTER_KEY itself: a file, or a command that prints it. */
import { spawnSync } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { MASTER_KEY_FORM, parseMasterKeys } from '../../crypto/keyring.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import type { Texts } from './given-texts.ts'

type FetchedKey = Readonly<{ key: string }> | Readonly<{ problem: string }>

const COMMAND_MS = 10 * SECOND_MS
const KEY_BYTES_MAX = 8_192
/** What the command says beside the key is read no further. */
const OUTPUT_BYTES_MAX = 1_048_576
/** What else may be in the environment that gives access: the password of PostgreSQL's own client. */
const WITHOUT_FURTHER_SECRETS = { PGPASSWORD: undefined }
const OWNER_ONLY: readonly number[] = [0o600, 0o400]
const MODE_BITS = 0o7777

type Source = Readonly<{
  masterKeyFile: string | undefined
  masterKeyCommand: string | undefined
  production: boolean
}>

/** From the file or the command that stands in for MASTER_KEY (OPER-80). What is wrong is added to the problems. */
export function fetchMasterKey(
  { masterKeyFile, masterKeyCommand, production }: Source,
  { env, problems }: { env: Texts; problems: string[] },
): string | undefined {
  const fetched =
    masterKeyFile === undefined
      ? masterKeyCommand !== undefined && runKeyCommand(masterKeyCommand, env)
      : readKeyFile(masterKeyFile, { isStrict: production })
  if (fetched && 'problem' in fetched) problems.push(fetched.problem)
  return fetched && 'key' in fetched ? fetched.key : undefined
}

/** The file is looked at and read through one handle, so that it cannot be another one by then (OPER-81). */
function readKeyFile(path: string, { isStrict }: { isStrict: boolean }): FetchedKey {
  try {
    // A pipe without a writer would make the start wait.
    const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(handle)
      const mode = stats.mode & MODE_BITS
      if (!stats.isFile()) return { problem: `MASTER_KEY_FILE: ${path} is not a regular file.` }
      if (isStrict && !OWNER_ONLY.includes(mode)) return { problem: wordMode(path, mode) }
      return checked('MASTER_KEY_FILE', readFileSync(handle, 'utf8'))
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problem: `MASTER_KEY_FILE: ${path} cannot be read (${code}).` }
  }
}

const wordMode = (path: string, mode: number): string =>
  `MASTER_KEY_FILE: ${path} has mode ${mode.toString(8).padStart(4, '0')}; it must be readable by its owner alone (0600 or 0400).`

/** What the command prints is the key; nothing of it reaches a message (OPER-82). */
export function runKeyCommand(
  command: string,
  env: Texts,
  { timeoutMs = COMMAND_MS }: { timeoutMs?: number } = {},
): FetchedKey {
  const { error, status, signal, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    env: { ...env, ...WITHOUT_FURTHER_SECRETS },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ETIMEDOUT')
    return { problem: `MASTER_KEY_COMMAND did not end within ${timeoutMs / SECOND_MS} s.` }
  if (code === 'ENOBUFS' || (status === 0 && stdout.length > KEY_BYTES_MAX))
    return { problem: 'MASTER_KEY_COMMAND printed more than 8 KiB.' }
  if (status === 0) return checked('MASTER_KEY_COMMAND', stdout.toString('utf8'))
  const [line = ''] = (stderr ?? Buffer.alloc(0)).toString('utf8').trim().split('\n')
  const end = status === null ? `signal ${signal ?? code}` : `exit status ${status}`
  return { problem: `MASTER_KEY_COMMAND ended with ${end}${line === '' ? '.' : `: ${line}`}` }
}

function checked(name: string, text: string): FetchedKey {
  const key = text.trim()
  return parseMasterKeys(key) === undefined
    ? { problem: `${name} does not give ${MASTER_KEY_FORM}.` }
    : { key }
}
